"""Paths and rounds: the small algebra under the engine."""

from __future__ import annotations

import pytest
from ctxlint.ir import FunctionIR, Loop
from ctxlint.taint.facts import LATER, around, element, get, leave, loop_of, put

# loop 1 holds loop 2; loop 3 stands beside
NESTED = FunctionIR("f", "f", (1, 0, 1, 0), 0, loops=(Loop(0, 0, 0), Loop(0, 2, 20), Loop(1, 5, 9), Loop(0, 20, 30)))


@pytest.mark.parametrize(
    ("path", "key", "expected"),
    [
        pytest.param((), "k", (), id="whole"),
        pytest.param(("k", "x"), "k", ("x",), id="field"),
        pytest.param(("k",), "other", None, id="other-field"),
        pytest.param(("[]", "x"), 0, ("x",), id="element"),
        pytest.param(("1",), 0, None, id="other-position"),
        pytest.param(("k",), None, (), id="unknown-key"),
        pytest.param(("*",), "k", (), id="any"),
    ],
)
def test_a_read_goes_down_a_path(path: tuple[str, ...], key: str | int | None, expected: object) -> None:
    """What is not below the field is not read."""
    assert get(path, key) == expected


def test_an_iteration_gives_elements_not_fields() -> None:
    """A mapping is iterated by key."""
    assert element(("[]", "text")) == ("text",)
    assert element(("memo",)) is None


def test_paths_do_not_grow_for_ever() -> None:
    """A structure that holds itself is cut."""
    path: tuple[str, ...] = ()
    for _ in range(10):
        path = put("next", put("[]", path))
    assert len(path) <= 3


@pytest.mark.parametrize(
    ("loop", "number", "expected"),
    [
        pytest.param(1, 1, -1, id="born-in-it"),
        pytest.param(1, 2, -1, id="born-in-a-loop-inside"),
        pytest.param(2, 1, 1, id="born-outside"),
        pytest.param(1, 0, 0, id="born-before-all"),
        pytest.param(1, -2, -1, id="carried-by-the-inner"),
        pytest.param(2, -1, -1, id="carried-by-the-outer"),
        pytest.param(1, LATER, LATER, id="from-elsewhere"),
    ],
)
def test_a_text_that_comes_around_a_loop_is_carried(loop: int, number: int, expected: int) -> None:
    """Only what was written inside a loop is from an earlier round of it."""
    assert around(NESTED, loop, number) == expected


@pytest.mark.parametrize(
    ("loop", "number", "expected"),
    [
        pytest.param(2, 2, 1, id="inner"),
        pytest.param(2, -2, 1, id="carried-by-the-inner"),
        pytest.param(2, -1, -1, id="carried-by-the-outer"),
        pytest.param(1, -2, 0, id="out-of-both"),
        pytest.param(3, 1, 1, id="another-loop"),
        pytest.param(1, LATER, LATER, id="from-elsewhere"),
    ],
)
def test_a_text_that_leaves_a_loop_is_one_step_for_the_outside(loop: int, number: int, expected: int) -> None:
    """Map and reduce is no loop for the reduce."""
    assert leave(NESTED, loop, number) == expected


def test_the_innermost_loop_of_a_value() -> None:
    """Loops are ranges of values."""
    assert [loop_of(NESTED, value) for value in (1, 3, 6, 10, 25)] == [0, 1, 2, 1, 3]
