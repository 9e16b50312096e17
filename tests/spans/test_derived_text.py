"""Derived text: readable for people and models by name, never for a running summarizer."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from ctxcontracts import DerivedStr, DerivedText, ProvenanceError, RewritePolicyError, expose
from ctxcontracts.spans.running import summarizing
from ctxcontracts.spans.text import raw_derived
from tests.support.spans import derived

TEXT = derived(text="red build, two fixes").text
EXPOSED = expose(TEXT)


def test_derived_text_is_no_string_and_formats_as_a_placeholder() -> None:
    """A summary in an f-string shows its size until somebody exposes it."""
    assert not isinstance(TEXT, str)
    assert f"{TEXT}" == str(TEXT) == "%s" % TEXT == "<DerivedText, 20 characters>"  # noqa: UP031
    assert f"{TEXT:>30}" == "  <DerivedText, 20 characters>"
    assert len(TEXT) == 20
    assert TEXT
    assert not derived(text="").text


def test_derived_texts_are_equal_by_what_they_say() -> None:
    """They work as keys, and never equal a string."""
    assert derived(text="a").text == derived(text="a").text
    assert len({derived(text="a").text, derived(text="a").text, derived(text="b").text}) == 2
    assert TEXT != "red build, two fixes"


def test_expose_gives_the_text_marked_by_its_type() -> None:
    """It reads as a string where people and models want one."""
    assert EXPOSED == "red build, two fixes"
    assert type(EXPOSED) is DerivedStr
    assert f"Summary: {EXPOSED}" == "Summary: red build, two fixes"
    assert f"{EXPOSED:>21}" == " red build, two fixes"
    assert repr(EXPOSED) == "<DerivedStr, 20 characters>"


def test_expose_takes_derived_text_only() -> None:
    """Anything else is the caller's slip, and the error says what to pass."""
    with pytest.raises(ProvenanceError, match=r"given a str.*\n.*span.text"):
        expose("text")  # type: ignore[arg-type]


EDITS: dict[str, Callable[[DerivedStr], Any]] = {
    "add": lambda t: t + "!",
    "radd": lambda t: "! " + t,
    "slice": lambda t: t[:3],
    "multiply": lambda t: t * 2,
    "percent": lambda t: t % (),
    "strip": lambda t: t.strip(),
    "upper": lambda t: t.upper(),
    "replace": lambda t: t.replace("red", "green"),
    "split": lambda t: t.split(),
    "partition": lambda t: t.partition(","),
    "encode": lambda t: t.encode(),
    "iterate": list,
    "format method": lambda t: t.format(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_of_exposed_text_is_what_the_edit_of_a_string_is(edit: Callable[[Any], Any]) -> None:
    """Only its type is another one, and no door takes it."""
    edited = edit(EXPOSED)
    assert edited == edit(str(EXPOSED))
    if isinstance(edited, str):
        assert type(edited) is DerivedStr


@pytest.mark.parametrize(
    "pieces", [EXPOSED.split(","), EXPOSED.rpartition(","), EXPOSED.splitlines()], ids=["split", "partition", "lines"]
)
def test_the_pieces_of_exposed_text_are_exposed_text(pieces: Any) -> None:
    """A summary cut in two is two pieces of a summary."""
    assert {type(piece) for piece in pieces} == {DerivedStr}


READINGS: dict[str, Callable[[], object]] = {
    **{f"exposed: {name}": lambda edit=edit: edit(EXPOSED) for name, edit in EDITS.items()},
    "exposed: str": lambda: str(EXPOSED),
    "exposed: f-string": lambda: f"{EXPOSED}",
    "exposed: %s": lambda: "%s" % EXPOSED,  # noqa: UP031
    "exposed: format": lambda: "{}".format(EXPOSED),  # noqa: UP032
    "exposed: pickle": lambda: pickle.dumps(EXPOSED),
    "expose": lambda: expose(TEXT),
    "method expose": TEXT.expose,
    "str": lambda: str(TEXT),
    "f-string": lambda: f"{TEXT}",
    "%s": lambda: "%s" % TEXT,  # noqa: UP031
    "pickle": lambda: pickle.dumps(TEXT),
}


@pytest.mark.parametrize("read", READINGS.values(), ids=READINGS)
def test_a_running_summarizer_reads_no_derived_text(read: Callable[[], object]) -> None:
    """Neither through the derived span nor through a text that was exposed beforehand."""
    with summarizing("shrink"), pytest.raises(RewritePolicyError, match="while the summarizer shrink runs") as caught:
        read()
    assert "red build" not in str(caught.value)
    read()


def test_what_does_not_ask_the_object_is_the_documented_limit() -> None:
    """`join` reads the characters of a string itself; the day that it asks, this list gets shorter."""
    with summarizing("shrink"):
        assert "".join([EXPOSED]) == "red build, two fixes"  # noqa: FLY002
        assert str.__str__(EXPOSED) == "red build, two fixes"


def test_the_library_itself_persists_a_text_while_a_summarizer_runs() -> None:
    """Stores and buffers read it past the guard; it is no way for users."""
    with summarizing("shrink"):
        assert raw_derived(TEXT) == "red build, two fixes"


def test_sizes_and_reprs_may_be_read_by_a_running_summarizer() -> None:
    """They hold no text, and logging must not fail."""
    with summarizing("shrink"):
        assert (len(TEXT), len(EXPOSED)) == (20, 20)
        assert repr(TEXT) == "<DerivedText, 20 characters>"
        assert isinstance(TEXT, DerivedText)
