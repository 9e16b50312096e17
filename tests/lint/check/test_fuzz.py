"""Real programs with parts moved, lost and doubled: whatever comes of them, the run ends and says so."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from ctxlint.check import Options, run, search
from ctxlint.config import Config
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HERE = Path(__file__).parents[1]
# The programs of the specification are short, and each of them is about something that the solver follows.
SOURCES = tuple(
    block.partition("```")[0]
    for path in sorted(HERE.glob("taint/*.md"))
    for block in path.read_text(encoding="utf-8").split("```python\n")[1:]
)
GOOD = "def digest(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"
WORDS = (
    "self",
    "await",
    "yield",
    "lambda",
    "*",
    "**",
    ":=",
    "async",
    "nonlocal",
    "del",
    "f'{x}'",
    "\x00",
    "\u2028",
    "\ud800",
)


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """A program of which lines or words are swapped, dropped, doubled, indented or taken from another one."""
    lines = draw(st.sampled_from(SOURCES)).splitlines()
    other = draw(st.sampled_from(SOURCES)).splitlines()
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        line = lines[place] if lines else ""
        kind = draw(st.integers(0, 6))
        if kind == 0:
            lines[place : place + 1] = []
        elif kind == 1:
            lines[place:place] = [line] * draw(st.integers(1, 3))
        elif kind == 2:
            lines[place:place] = draw(st.lists(st.sampled_from(other), max_size=4)) if other else []
        elif kind == 3:
            lines[place : place + 1] = ["    " + line]
        elif kind == 4:
            words = line.split(" ")
            words.insert(draw(st.integers(0, len(words))), draw(st.sampled_from(WORDS)))
            lines[place : place + 1] = [" ".join(words)]
        elif kind == 5:
            words = line.split(" ")
            lines[place : place + 1] = [" ".join(draw(st.permutations(words)))]
        else:
            names = [word for word in line.replace("(", " ").replace(".", " ").split() if word.isidentifier()]
            new = draw(st.sampled_from(names)) if names else "x"
            lines = [each.replace(new, draw(st.sampled_from(("self", "llm", new)))) for each in lines]
    return "\n".join(lines).encode("utf-8", draw(st.sampled_from(("surrogatepass", "replace"))))


@pytest.fixture(scope="module", autouse=True)
def models_read_once() -> Iterator[None]:
    """The models are the same for every program, and take longer to read than most of them."""
    models = search.load_models()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "load_models", lambda _extra: models)
        yield


@settings(max_examples=60, deadline=20_000, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(st.one_of(mutants(), st.binary(max_size=200)))
def test_a_mutated_program_is_analysed_or_refused(source: bytes) -> None:
    """Never a crash, never a fault of ours, and the file beside it keeps its finding; twice the same."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "odd.py").write_bytes(source)
        (folder / "zgood.py").write_text(GOOD)
        options = Options(jobs=1, cache=False, file_seconds=10)
        outcome = run([folder], Config(), options=options)
        again = run([folder], Config(), options=options)
    assert outcome.findings == again.findings
    assert not [f.message for f in outcome.findings if "ctxlint failed" in f.message or "took longer" in f.message]
    assert {f.place.path for f in outcome.findings} <= {"odd.py", "zgood.py"}
