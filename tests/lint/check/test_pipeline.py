"""A run as a whole."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from ctxlint.check import Options, run, search
from ctxlint.config import Config
from ctxlint.discover import TextFile, discover
from ctxlint.errors import InternalError, UsageError
from ctxlint.load.texts import TEXT_BYTES, TextFiles
from ctxlint.taint import Solution

ALONE = Options(jobs=1, cache=False)
DRIFT = "def digest(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"


def test_findings_come_sorted_whatever_found_them(tmp_path: Path) -> None:
    """Findings of rules and unreadable files are one list in file order."""
    (tmp_path / "a.py").write_text("x = (")
    (tmp_path / "b.py").write_text(DRIFT)
    (tmp_path / "c.py").write_text("x = (")
    found = run([tmp_path], Config(), options=ALONE).findings
    assert [(f.place.path, f.code) for f in found] == [("a.py", "CTX901"), ("b.py", "CTX001"), ("c.py", "CTX901")]


def test_text_that_travels_through_another_file_is_followed(tmp_path: Path) -> None:
    """All paths are linted as one program."""
    (tmp_path / "fold.py").write_text("def fold(llm, text):\n    return llm.summarize(text)\n")
    (tmp_path / "main.py").write_text(
        "from fold import fold\n\n\ndef digest(llm, pages):\n    memo = ''\n"
        "    for page in pages:\n        memo = fold(llm, memo + page)\n    return memo\n"
    )
    found = run([tmp_path], Config(), options=ALONE).findings
    assert [(f.place.path, f.code) for f in found] == [("fold.py", "CTX001")]


def test_a_selection_leaves_other_rules_out(tmp_path: Path) -> None:
    """Unreadable files are always reported, since their rules could not look."""
    (tmp_path / "a.py").write_text("x = (")
    (tmp_path / "b.py").write_text(DRIFT)
    found = run([tmp_path], Config(select=frozenset({"CTX002"})), options=ALONE).findings
    assert [f.code for f in found] == ["CTX901"]


def test_a_suppression_with_a_reason_takes_the_finding_out(tmp_path: Path) -> None:
    """It stays in the outcome, apart."""
    line = "memo = llm.summarize(memo + page)"
    (tmp_path / "b.py").write_text(DRIFT.replace(line, f"{line}  # ctxlint: ignore[CTX001] a test needs it"))
    outcome = run([tmp_path], Config(), options=ALONE)
    assert outcome.findings == ()
    assert [s.reason for s in outcome.suppressed] == ["a test needs it"]


def test_the_run_measures_itself(tmp_path: Path) -> None:
    """Files, lines, sites and seconds by stage."""
    (tmp_path / "b.py").write_text(DRIFT)
    (tmp_path / "c.py").write_text("x = 1\n")
    measures = run([tmp_path], Config(), options=ALONE).measures
    assert (measures.files, measures.lines, measures.sites) == (2, 5, 1)
    assert list(measures.seconds) == ["discover", "load", "solve", "rules", "suppress"]


def test_the_texts_of_all_places_are_at_hand(tmp_path: Path) -> None:
    """A reporter can draw every step without reading a file."""
    (tmp_path / "b.py").write_text(DRIFT)
    (tmp_path / "c.py").write_text("x = 1\n")
    assert run([tmp_path], Config(), options=ALONE).texts == {"b.py": DRIFT}


def test_a_fault_in_the_solver_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user learns that it is not their code."""

    def broken(*_args: object, **_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(search, "solve", broken)
    with pytest.raises(InternalError, match=r"failed in solving \(ZeroDivisionError\)"):
        run([tmp_path], Config(), options=ALONE)


def test_a_search_that_is_cut_short_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget that is hit is a gap, and no gap is silent."""
    monkeypatch.setattr(search, "solve", lambda *_args, **_given: Solution(exhausted=True))
    (tmp_path / "a.py").write_text("x = 1\n")
    [finding] = run([tmp_path], Config(), options=ALONE).findings
    assert (finding.code, finding.place.path) == ("CTX901", ".")
    assert "step budget" in finding.message


def test_a_search_that_is_cut_short_names_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function that took most of it is where somebody would look first."""
    monkeypatch.setattr("ctxlint.taint.engine._MAX_STEPS", 1)
    (tmp_path / "a.py").write_text(
        "def fold(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"
    )
    found = [f for f in run([tmp_path], Config(), options=ALONE).findings if f.code == "CTX901"]
    assert [(f.place.path, f.place.line, f.function) for f in found] == [("a.py", 1, "fold")]
    assert "most of it was spent in fold()" in found[0].message


def test_an_error_of_the_user_stays_one(tmp_path: Path) -> None:
    """A model file that does not exist is not our fault."""
    with pytest.raises(UsageError):
        run([tmp_path], Config(models=(tmp_path / "gone.toml",)), options=ALONE)


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_as_before(tmp_path: Path, enabled: bool) -> None:
    """The pause ends with the run, and a collector that was off stays off."""
    before = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        run([tmp_path], Config(), options=ALONE)
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_nothing_that_is_linted_is_executed(tmp_path: Path) -> None:
    """Linting hostile code is safe."""
    (tmp_path / "setup.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    (tmp_path / "conftest.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    run([tmp_path], Config(), options=ALONE)
    assert not (tmp_path / "executed").exists()


def test_prompt_files_are_read_when_asked_for(tmp_path: Path) -> None:
    """A folder of data costs nothing until some code names a file of it."""
    (tmp_path / "fold.md").write_text("Summarize.")
    texts = TextFiles(discover([tmp_path]).texts)
    assert list(texts) == ["fold.md"]
    assert len(texts) == 1
    (tmp_path / "fold.md").write_text("Fold.")
    assert texts["fold.md"] == "Fold."
    (tmp_path / "fold.md").unlink()
    assert texts["fold.md"] == "Fold."


@pytest.mark.parametrize("data", [b"\xff", b"x" * (TEXT_BYTES + 1), None], ids=["no-text", "too-long", "gone"])
def test_a_prompt_file_that_cannot_be_read_is_empty(tmp_path: Path, data: bytes | None) -> None:
    """It may hold anything: it is no finding."""
    path = tmp_path / "x.txt"
    if data is not None:
        path.write_bytes(data)
    texts = TextFiles((TextFile("x.txt", path),))
    assert texts["x.txt"] == ""
    with pytest.raises(KeyError):
        texts["other"]
