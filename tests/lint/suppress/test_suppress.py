"""Which findings a comment takes back."""

from __future__ import annotations

import pytest
from ctxlint.finding import Confidence, Finding, Place, Severity
from ctxlint.suppress import apply, suppressions


def _finding(line: int, end_line: int | None = None) -> Finding:
    place = Place("main.py", line, 0, end_line or line, 9)
    return Finding("CTX001", "resummarized-summary", "drift", place, Severity.ERROR, Confidence.HIGH)


@pytest.mark.parametrize(
    ("text", "line", "end_line"),
    [
        pytest.param("x = fold(x)  # ctxlint: ignore[CTX001] reviewed\n", 1, 1, id="on-the-line"),
        pytest.param("# ctxlint: ignore[CTX001] reviewed\nx = fold(x)\n", 2, 2, id="alone-above"),
        pytest.param("# ctxlint: ignore[CTX001] reviewed\n\n# more\nx = fold(x)\n", 4, 4, id="above-other-comments"),
        pytest.param("x = fold(\n    x,  # ctxlint: ignore[CTX001] reviewed\n)\n", 1, 3, id="inside-the-call"),
        pytest.param("# ctxlint: ignore[CTX001] reviewed\nx = f(\n    fold(x),\n)\n", 3, 3, id="above-the-statement"),
        pytest.param(
            "x = f(\n    # ctxlint: ignore[CTX001] reviewed\n    fold(x),\n)\n", 3, 3, id="alone-in-brackets"
        ),
        pytest.param("x = fold(x)  # noqa: E501  # ctxlint: ignore[CTX001] ok\n", 1, 1, id="after-another-comment"),
        pytest.param("x = fold(x)  # ctxlint: ignore[CTX002, CTX001] reviewed\n", 1, 1, id="several-codes"),
        pytest.param("x = fold(x)  # ctxlint: ignore[resummarized-summary] ok\n", 1, 1, id="slug"),
        pytest.param("#ctxlint:ignore[ CTX001 ]: reviewed\nx = fold(x)\n", 2, 2, id="other-blanks"),
        pytest.param("if x:\n    # ctxlint: ignore[CTX001] reviewed\n    fold(x)\n", 3, 3, id="first-in-a-block"),
    ],
)
def test_a_comment_with_a_reason_takes_the_finding_back(text: str, line: int, end_line: int) -> None:
    """The comment stands on the finding or alone above it."""
    verdicts = apply([_finding(line, end_line)], {"main.py": text})
    assert verdicts.kept == ()
    assert [taken.finding for taken in verdicts.suppressed] == [_finding(line, end_line)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param('x = fold("# ctxlint: ignore[CTX001] reviewed")\n', 1, id="in-a-string"),
        pytest.param("x = fold(x)  # ctxlint: ignore[CTX002] reviewed\n", 1, id="other-code"),
        pytest.param("x = fold(x)  # ctxlint: ignore reviewed\n", 1, id="no-code"),
        pytest.param("x = fold(x)  # ctxlint: ignore[CTX001 reviewed\n", 1, id="bracket-left-open"),
        pytest.param("x = fold(x)  # ctxlint: mute[CTX001] reviewed\n", 1, id="other-verb"),
        pytest.param("y = 1  # ctxlint: ignore[CTX001] reviewed\nx = fold(x)\n", 2, id="end-of-the-line-above"),
        pytest.param("# ctxlint: ignore[CTX001] reviewed\ny = 1\nx = fold(x)\n", 3, id="two-lines-above"),
        pytest.param("x = fold(x)\n# ctxlint: ignore[CTX001] reviewed\n", 1, id="below"),
        pytest.param(
            "x = f(\n    # ctxlint: ignore[CTX001] ok\n    y,\n    fold(x),\n)\n", 4, id="above-a-neighbour"
        ),
        pytest.param("x = (  # ctxlint: ignore[CTX001] reviewed\n", 2, id="text-that-does-not-end"),
    ],
)
def test_any_other_comment_leaves_the_finding(text: str, line: int) -> None:
    """A suppression speaks for its own place and rule only."""
    verdicts = apply([_finding(line)], {"main.py": text})
    assert verdicts.kept == (_finding(line),)
    assert verdicts.suppressed == ()


def test_a_suppression_without_a_reason_does_not_count_and_the_finding_says_so() -> None:
    """Whoever reads the report learns what the comment lacks."""
    verdicts = apply([_finding(1)], {"main.py": "x = fold(x)  # ctxlint: ignore[CTX001]\n"})
    [kept] = verdicts.kept
    assert kept.related[0].place == Place("main.py", 1, 13, 1, 38)
    assert "gives no reason" in kept.related[0].note


def test_the_reason_is_kept() -> None:
    """A report can show why a finding was taken back."""
    text = "x = fold(x)  # ctxlint: ignore[CTX001]: originals are read again  # noqa\n"
    assert apply([_finding(1)], {"main.py": text}).suppressed[0].reason == "originals are read again"


def test_findings_in_files_without_text_are_kept() -> None:
    """A file that could not be read cannot suppress."""
    assert apply([_finding(1)], {}).kept == (_finding(1),)


def test_suppressions_are_told_in_order() -> None:
    """One entry for each comment, by place, with the lines that it speaks for."""
    text = "# ctxlint: ignore[CTX001] a\nx = f(\n    y,  # ctxlint: ignore[CTX002] b\n)\n"
    assert [(s.codes, s.reason, s.first, s.last) for s in suppressions(text, "m.py")] == [
        (("CTX001",), "a", 2, 4),
        (("CTX002",), "b", 3, 3),
    ]
