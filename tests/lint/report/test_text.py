"""What a person reads in a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ctxlint.finding import Place, Related, Severity, Step, StepRole
from ctxlint.report import Format, render, statistics
from ctxlint.report.paint import Paint, clipped, columns, printable
from ctxlint.rules import RULES
from ctxlint.suppress import Suppressed

from tests.support.lint_findings import CALL, PATH, SOURCE, drift, outcome, place

WHOLE = """\
error[CTX001] resummarized-summary: an earlier summary is summarized again
  --> app/memory.py:11:16 in Memory.fold
   |
10 |     prompt = "Summarize: " + notes
11 |     return self.llm.invoke(
   |            ^^^^^^^^^^^^^^^^
12 |         prompt + page,
13 |     )
   |     ^ derived text reaches this call
   |
   = path: text written at app/memory.py:11:16 is kept in self.notes at app/memory.py:7:9, read at
           app/memory.py:7:38, and reaches this call
      1 the summary that `self.llm.invoke(...)` writes
        app/memory.py:11:16 | return self.llm.invoke(
      2 kept in self.notes
        app/memory.py:7:9   | self.notes = self.fold(page, self.notes)
      3 read in the next call of save
        app/memory.py:7:38  | self.notes = self.fold(page, self.notes)
      4 derived text reaches this call
        app/memory.py:11:16 | return self.llm.invoke(
   = note: called from Memory.save (app/memory.py:7:22)
   = fix: keep the pages and summarize them again

1 finding in 3 files: 1 error.
"""


@pytest.fixture(autouse=True)
def _no_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The title is the finding's own message where no rule says it better."""
    monkeypatch.setattr("ctxlint.rules.RULES", {})


def test_a_finding_shows_frame_path_and_fix() -> None:
    """One look tells where the text comes from and what to do."""
    assert render(outcome(drift()), Format.TEXT) == WHOLE


def test_no_finding_is_said_in_a_line() -> None:
    """Silence could mean that nothing was linted."""
    assert render(outcome(), Format.TEXT) == "No findings in 3 files.\n"


def test_suppressed_findings_are_counted_not_shown() -> None:
    """What was taken back does not distract, and is not hidden."""
    told = render(outcome(suppressed=(Suppressed(drift(), "reviewed"),)), Format.TEXT)
    assert told == "No findings in 3 files (1 suppressed).\n"


def test_findings_that_are_not_sure_enough_are_counted() -> None:
    """Who lowers the bar finds what the report leaves out."""
    told = render(replace(outcome(suppressed=(Suppressed(drift(), "reviewed"),)), unsure=2), Format.TEXT)
    assert told == "No findings in 3 files (1 suppressed, 2 below --min-confidence).\n"


def test_paths_get_the_prefix_that_the_terminal_needs() -> None:
    """A link in the report opens from the current folder."""
    told = render(outcome(drift()), Format.TEXT, prefix="src/")
    assert told.count("src/app/memory.py") == told.count("app/memory.py")


@pytest.mark.parametrize("width", [60, 80, 100])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    """Frames and paths do not wrap; a place that is longer than the terminal is the exception."""
    long = drift(message="word " * 60, advice="do " * 90, related=(Related(CALL, "see " * 70),))
    text = SOURCE.replace("prompt + page", "prompt + page" * 30)
    told = render(outcome(long, text=text), Format.TEXT, width=width)
    assert max(columns(line) for line in told.splitlines()) <= width


def test_a_place_is_not_broken_at_a_hyphen() -> None:
    """A path that is torn apart cannot be opened."""
    told = render(outcome(drift(advice="see " + "some-package/with-hyphens.py:1:1 " * 9)), Format.TEXT, width=60)
    assert told.count("some-package/with-hyphens.py:1:1") == 9


def test_colour_changes_nothing_but_the_colour() -> None:
    """The painted report is the plain one with escapes in it."""
    painted = render(outcome(drift()), Format.TEXT, paint=Paint(colour=True))
    plain = painted
    for code in ("1;31", "1;33", "1;34", "1;32", "1", "2", "0"):
        plain = plain.replace(f"\x1b[{code}m", "")
    assert painted != plain
    assert plain == WHOLE


def test_linted_code_cannot_control_the_terminal() -> None:
    """Escapes in code, paths and notes are shown, not obeyed."""
    text = SOURCE.replace("return", "retu\x1b]0;owned\x07rn")
    evil = drift(message="a\x1b[2Jb", function="f\x1b[0m")
    told = render(outcome(evil, text=text), Format.TEXT)
    assert "\x1b" not in told
    assert "\x07" not in told


def test_carets_stand_under_wide_characters_and_tabs() -> None:
    """A column is counted as the terminal draws it."""
    text = "def f():\n\tmemo = '日本'; memo = fold(memo)\n"
    start = text.split("\n")[1].index("fold")
    finding = drift(place=place(2, start, 2, start + 10), flows=(), related=(), advice="")
    lines = render(outcome(finding, text=text), Format.TEXT).splitlines()
    code = next(line for line in lines if "fold(memo)" in line)
    carets = next(line for line in lines if "^" in line)
    assert columns(code[: code.index("fold")]) == carets.index("^")
    assert carets.count("^") == len("fold(memo)")


def test_a_call_of_many_lines_is_cut() -> None:
    """A long prompt does not push the path off the screen."""
    text = "x = fold(\n" + "    'line',\n" * 40 + ")\n"
    finding = drift(place=place(1, 4, 42, 1), flows=(), related=())
    told = render(outcome(finding, text=text), Format.TEXT)
    assert "… 37 more lines" in told
    assert told.count("'line'") == 4


def test_a_long_path_is_cut_in_the_middle() -> None:
    """Both ends stay, and the report says how many steps it leaves out."""
    hops = tuple(Step(StepRole.PASSED, place(7, 8, 7, 9), f"hop {n}") for n in range(40))
    told = render(outcome(drift(flows=((PATH[0], *hops, PATH[-1]),))), Format.TEXT)
    assert "… 28 steps left out" in told
    assert " 1 the summary that" in told
    assert "42 derived text reaches" in told


def test_further_paths_are_counted() -> None:
    """The first path is told step by step, three more in a sentence, the others are counted."""
    told = render(outcome(drift(flows=(PATH,) * 6)), Format.TEXT)
    assert told.count("= also: kept in self.notes at app/memory.py:7:9, read at app/memory.py:7:38, and") == 3
    assert "also: 2 more paths into this call" in told


def test_many_related_places_are_cut() -> None:
    """Five places are enough to judge by."""
    told = render(outcome(drift(related=(Related(CALL, "called from here"),) * 9)), Format.TEXT)
    assert told.count("called from here") == 5
    assert "4 more places" in told


@pytest.mark.parametrize(
    ("flow", "told"),
    [
        pytest.param((PATH[0], PATH[3]), "text written at app/memory.py:11:16 reaches this call", id="straight"),
        pytest.param(
            (PATH[0], PATH[2], PATH[3]),
            "text written at app/memory.py:11:16 is read at app/memory.py:7:38, and reaches this call",
            id="read-only",
        ),
        pytest.param(
            (PATH[0], PATH[1], replace(PATH[3], place=place(7, 0, 7, 1))),
            "text written at app/memory.py:11:16 is kept in self.notes at app/memory.py:7:9, "
            "and reaches app/memory.py:7:1",
            id="other-end",
        ),
    ],
)
def test_the_path_is_told_in_one_sentence(flow: tuple[Step, ...], told: str) -> None:
    """Both ends are named, and what lies between where there is something."""
    lines = render(outcome(drift(flows=(flow,))), Format.TEXT, width=300)
    assert f"= path: {told}\n" in lines


def test_a_file_without_text_has_no_frame() -> None:
    """A finding on a file that cannot be read shows its place only."""
    finding = drift(place=Place("gone.py", 3, 0, 3, 0), flows=(), related=(), severity=Severity.WARNING, function="")
    assert "  --> gone.py:3:1\n   = fix" in render(outcome(finding), Format.TEXT)


def test_a_line_that_is_gone_is_drawn_empty() -> None:
    """A file that shrank during the run does not break its report."""
    assert "11 |" in render(outcome(drift(), text="x\n"), Format.TEXT)


def test_the_title_is_what_the_rule_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is told below, so the title need not tell it."""
    monkeypatch.setattr("ctxlint.rules.RULES", RULES)
    told = render(outcome(drift()), Format.TEXT)
    assert " ".join(told.split()).startswith(f"error[CTX001] resummarized-summary: {RULES['CTX001'].summary}")


def test_a_label_that_does_not_fit_stands_below() -> None:
    """The underline of a long line leaves no room behind it."""
    text = "x = fold(" + "a" * 200 + ")\n"
    told = render(outcome(drift(place=place(1, 4, 1, 210)), text=text), Format.TEXT).splitlines()
    [carets] = [number for number, line in enumerate(told) if "^^^" in line]
    assert told[carets + 1] == "   |     derived text reaches this call"


def test_a_step_far_to_the_right_is_shown_from_its_own_column() -> None:
    """Of a long line the part that matters is drawn."""
    text = "x = [" + "a, " * 80 + "fold(memo)]\n"
    steps = (PATH[0], Step(StepRole.READ, place(1, 245, 1, 255), "read"), PATH[-1])
    assert "| …fold(memo)]\n" in render(outcome(drift(flows=(steps,)), text=text), Format.TEXT)


def test_statistics_count_what_the_run_did() -> None:
    """Sizes, findings by code, suppressed findings and seconds."""
    told = statistics(outcome(drift(), suppressed=(Suppressed(drift(), "reviewed"),)))
    rows = {line[:18].strip(): line[18:].strip() for line in told.splitlines()}
    assert {"files": "3", "lines": "40", "of them cached": "1", "summarizer sites": "2"}.items() <= rows.items()
    assert {"CTX001": "1", "suppressed": "1", "findings": "1"}.items() <= rows.items()


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        pytest.param("abc", 3, "abc", id="fits"),
        pytest.param("abcd", 3, "ab…", id="cut"),
        pytest.param("日本語", 5, "日本…", id="wide"),
        pytest.param("日本語", 4, "日…", id="wide-odd"),
    ],
)
def test_clipping_counts_columns(text: str, width: int, expected: str) -> None:
    """The ellipsis is part of the width."""
    assert clipped(text, width) == expected


def test_combining_marks_take_no_column() -> None:
    """An accent stands above its letter."""
    assert columns("e\u0301") == 1


def test_printable_keeps_one_line() -> None:
    """Neither a line end nor a tab survives as such."""
    assert printable("a\tb\nc") == "a    b\N{REPLACEMENT CHARACTER}c"
