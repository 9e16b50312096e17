"""The commands for stores, as a user types them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.cli import main
from ctxcontracts.coldstore import MemoryStore, SQLiteStore
from ctxcontracts.coldstore.export import exported, imported
from ctxcontracts.errors import ColdStoreError, StoreVersionError
from ctxcontracts.spans import system_text, user_text
from tests.support.buffers import filled, shrink, state
from tests.support.small_store import sql


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        _, spans = filled(4, buffer)
        buffer.rewrite(spans[:2], shrink)
        buffer.observe(system_text("be brief\n\ud800"), pinned=True)
        buffer.forget(spans[2].id, reason="asked for")
    return path


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def parsed(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    code, out, _ = said(capsys, *arguments, "--json")
    assert code == 0
    return json.loads(out)


def test_sessions_are_listed(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By name, oldest first."""
    assert said(capsys, "sessions", store) == (0, "s\n", "")
    assert parsed(capsys, "sessions", store) == {"sessions": ["s"]}
    assert parsed(capsys, "sessions", store, "--namespace", "other") == {"sessions": []}


def test_a_session_is_shown_as_a_tree_without_texts(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each summary with its sources below it; texts only when they are asked for."""
    code, out, _ = said(capsys, "show", store, "s")
    assert code == 0
    assert [line.split("  ")[-2].strip() if "  " in line else line for line in out.splitlines()][1:] == [
        "s:d1", "s:o1", "s:o2", "s:o4", "s:o5",
    ]  # fmt: skip
    assert "migration" not in out
    tree = parsed(capsys, "show", store, "s", "--text")
    assert [branch["kind"] for branch in tree["live"]] == ["derived", "observed", "observed"]
    assert tree["live"][0]["sources"][0]["text"].startswith("turn 1: and so")
    assert "| 2 of them: turn 1: and so" in said(capsys, "show", store, "s", "--text")[1]
    assert said(capsys, "show", store, "t")[0] == 2


def test_verify_ends_with_one_where_there_is_damage(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And with 0 where there is none; a sample may miss it."""
    assert said(capsys, "verify", store) == (0, "no damage was found\n", "")
    sql(store, "UPDATE blobs SET content = zeroblob(3) WHERE rowid = 1")
    code, out, _ = said(capsys, "verify", store)
    assert (code, "does not have the digest" in out) == (1, True)
    code, out, _ = said(capsys, "verify", store, "--json")
    assert (code, len(json.loads(out)["damage"])) == (1, 1)
    assert said(capsys, "verify", store, "--sample", "0")[0] == 0


def test_what_cannot_be_done_ends_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The reason is on the error output, and no file is made."""
    code, out, err = said(capsys, "verify", tmp_path / "none.db")
    assert (code, out) == (2, "")
    assert "there is no store" in err
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "notes.txt").write_text("notes " * 100)
    assert said(capsys, "sessions", tmp_path / "notes.txt")[0] == 2
    assert said(capsys, "import", tmp_path / "new.db", tmp_path / "none.jsonl")[0] == 2


def test_a_session_moves_to_another_store(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its ids, its summaries, its tombstones and its log of forgetting."""
    lines, other = tmp_path / "s.jsonl", tmp_path / "other.db"
    assert said(capsys, "export", store, "s", "--output", lines) == (0, "", "")
    assert said(capsys, "export", store, "s")[1] == lines.read_text()
    assert said(capsys, "import", other, lines) == (0, "imported session s\n", "")
    with ContextBuffer.open(store, "s") as one, ContextBuffer.open(other, "s") as two:
        assert state(one) == state(two)
        assert two.store.verify() == ()
    assert said(capsys, "import", other, lines)[0] == 2
    monkeypatch.setattr("sys.stdin", io.StringIO(lines.read_text()))
    assert parsed(capsys, "import", other, "--namespace", "copy") == {"session": "s"}
    memory = MemoryStore()
    assert imported(memory, lines.read_text().splitlines()) == "s"
    with SQLiteStore(store) as origin:
        assert list(memory.journal("s")) == list(origin.journal("s"))
    assert memory.verify() == ()
    with pytest.raises(ColdStoreError):
        list(exported(memory, "t"))


HEAD = '{"ctxcontracts":"session","v":1,"session":"s","entries":1}'
WRONG = {
    "nothing": [],
    "no JSON": ["notes"],
    "no object": ["[]"],
    "something else": ['{"a":1}'],
    "too short": [HEAD],
    "no entry": [HEAD, '{"entry":3}'],
    "no text": [HEAD, '{"entry":{"v":1,"kind":"started","counter":"c"},"text":3}'],
    "a newer version": ['{"ctxcontracts":"session","v":2,"session":"s","entries":0}'],
}


@pytest.mark.parametrize("lines", WRONG.values(), ids=WRONG)
def test_what_is_no_exported_session_is_not_imported(lines: list[str]) -> None:
    """Nothing of it."""
    store = MemoryStore()
    with pytest.raises((ColdStoreError, StoreVersionError)):
        imported(store, lines)
    assert store.sessions() == ()


def test_originals_are_forgotten_from_the_command_line(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a reason; the key of the hashes is printed once."""
    code, out, _ = said(capsys, "forget", store, "s:o1", "--reason", "asked for")
    assert code == 0
    assert out.splitlines()[0] == "forgotten: s:o1, s:d1"
    assert "nothing" in said(capsys, "forget", store, "s:o1", "--reason", "asked for")[1]
    with ContextBuffer.open(store, "t") as buffer:
        _, (span,) = filled(1, buffer)
        again = buffer.observe(user_text(span.text))
    done = parsed(capsys, "forget", store, span.id, "--reason", "asked for")
    assert (done["originals"], done["same_text"]) == ([span.id], [again.id])
    assert len(bytes.fromhex(done["key"])) == 32
    assert said(capsys, "forget", store, "s:o9", "--reason", "asked for")[0] == 2


def test_a_log_that_another_process_keeps_is_told(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run it again later."""
    monkeypatch.setattr("ctxcontracts.coldstore.sqlite.scrub", lambda _: False)
    assert "run this again" in said(capsys, "forget", store, "s:o4", "--reason", "asked for")[1]
