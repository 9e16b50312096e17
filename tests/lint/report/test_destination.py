"""Where `--output` puts a report."""

from __future__ import annotations

import errno
import os
import stat
import threading
from pathlib import Path

import pytest
from ctxlint.errors import UsageError
from ctxlint.report.destination import write


def test_the_file_is_replaced_whole(tmp_path: Path) -> None:
    """Nothing of the old report stays, and no temporary file either."""
    path = tmp_path / "report.sarif"
    path.write_text("old " * 99)
    write(path, "new")
    assert path.read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["report.sarif"]


def test_a_new_file_has_the_rights_of_any_other(tmp_path: Path) -> None:
    """A report is readable by those who may read a file made by hand."""
    (tmp_path / "by-hand").touch()
    write(tmp_path / "report", "x")
    assert (tmp_path / "report").stat().st_mode == (tmp_path / "by-hand").stat().st_mode


def test_an_old_file_keeps_its_rights(tmp_path: Path) -> None:
    """A report that was closed to others stays closed."""
    path = tmp_path / "report"
    path.touch(0o600)
    write(path, "x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_is_followed(tmp_path: Path) -> None:
    """The file behind the link is replaced, the link stays."""
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "x"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    """`--output /dev/stdout` and process substitution work."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write(pipe, "x")
    reader.join(10)
    assert got == ["x"]


@pytest.mark.parametrize(
    "name", ["gone/report", "file/report", "folder"], ids=["no-folder", "below-a-file", "folder"]
)
def test_a_place_that_takes_no_file_is_the_users_mistake(tmp_path: Path, name: str) -> None:
    """The message names the option and the reason."""
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match=r"--output .* cannot be written: "):
        write(tmp_path / name, "x")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "folder"]


def test_a_disk_that_is_full_leaves_the_old_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole or not at all, and nothing lies around afterwards."""

    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    (tmp_path / "report").write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        write(tmp_path / "report", "new")
    assert [each.name for each in tmp_path.iterdir()] == ["report"]
    assert (tmp_path / "report").read_text() == "old"
