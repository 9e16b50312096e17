"""Which files a run reads, and what it says of those that it cannot."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ctxlint.discover import Discovery, discover, linted_folder
from ctxlint.errors import UsageError

from tests.support.unprivileged import open_folder, output_unprivileged


def _lay(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def _names(found: Discovery) -> list[str]:
    return [file.path for file in found.sources]


def _reasons(found: Discovery) -> dict[str, str]:
    return {finding.place.path: finding.message for finding in found.unreadable}


def test_python_files_come_sorted_by_path(tmp_path: Path) -> None:
    """The order does not depend on the file system."""
    _lay(tmp_path, "b.py", "a/z.py", "a/b/c.py", "a.py", "notes.txt", "stub.pyi")
    assert _names(discover([tmp_path])) == ["a.py", "a/b/c.py", "a/z.py", "b.py"]


def test_prompt_files_are_listed_apart(tmp_path: Path) -> None:
    """Texts that may hold prompts are known, not parsed."""
    _lay(tmp_path, "main.py", "prompts/fold.md", "prompts/fold.j2", "image.png")
    assert [file.path for file in discover([tmp_path]).texts] == ["prompts/fold.j2", "prompts/fold.md"]


@pytest.mark.parametrize("folder", [".git", ".venv", "node_modules", "__pycache__", ".tox"])
def test_folders_of_other_peoples_code_are_left_out(tmp_path: Path, folder: str) -> None:
    """Nobody wants findings in their virtual environment."""
    _lay(tmp_path, "main.py", f"{folder}/lib.py", f"deep/{folder}/lib.py")
    assert _names(discover([tmp_path])) == ["main.py"]


@pytest.mark.parametrize("folder", ["test", "tests"])
def test_tests_are_linted_where_they_are_named(tmp_path: Path, folder: str) -> None:
    """A test feeds everything to everything: text would seem to flow where the program never lets it."""
    _lay(tmp_path, "main.py", f"{folder}/check.py", "deep/testing/kit.py", f"deep/{folder}/more.py")
    assert _names(discover([tmp_path])) == ["deep/testing/kit.py", "main.py"]
    assert f"{folder}/check.py" in _names(discover([tmp_path, tmp_path / folder]))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param({".gitignore": "gen/\n"}, ["a.py", "sub/a.py", "sub/keep.py"], id="folder"),
        pytest.param({".gitignore": "/a.py\n"}, ["gen/a.py", "sub/a.py", "sub/keep.py"], id="anchored"),
        pytest.param({".gitignore": "a.py\n"}, ["sub/keep.py"], id="at-any-depth"),
        pytest.param({"sub/.gitignore": "*.py\n"}, ["a.py", "gen/a.py"], id="nested"),
        pytest.param(
            {".gitignore": "*.py\n", "sub/.gitignore": "!keep.py\n"}, ["sub/keep.py"], id="nested-takes-back"
        ),
        pytest.param(
            {".gitignore": "sub/\n", "sub/.gitignore": "!keep.py\n"}, ["a.py", "gen/a.py"], id="not-below-ignored"
        ),
    ],
)
def test_gitignore_files_are_respected(tmp_path: Path, files: dict[str, str], expected: list[str]) -> None:
    """What git ignores is not linted, by git's own rules."""
    _lay(tmp_path, "a.py", "gen/a.py", "sub/a.py", "sub/keep.py")
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert _names(discover([tmp_path])) == expected


def test_a_line_of_a_gitignore_that_is_no_pattern_is_passed_by(tmp_path: Path) -> None:
    """As in git: the other lines hold."""
    _lay(tmp_path, "a.py", "gen/a.py")
    (tmp_path / ".gitignore").write_text("!\ngen/\nb\\\n")
    assert _names(discover([tmp_path])) == ["a.py"]


def test_the_repositorys_ignores_hold_for_a_folder_inside_it(tmp_path: Path) -> None:
    """`ctxlint src` sees what `ctxlint .` sees in src."""
    _lay(tmp_path, "src/a.py", "src/gen/b.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n")
    assert _names(discover([tmp_path / "src"])) == ["a.py"]


def test_an_ignored_folder_that_is_named_is_linted(tmp_path: Path) -> None:
    """Whoever names a folder wants it linted."""
    _lay(tmp_path, "gen/b.py", "gen/deep/c.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("gen/\n")
    assert _names(discover([tmp_path / "gen"])) == ["b.py", "deep/c.py"]


def test_a_file_that_is_named_is_always_taken(tmp_path: Path) -> None:
    """Neither its suffix nor an ignore file keeps a named file out."""
    _lay(tmp_path, "script", ".venv/tool.py")
    assert _names(discover([tmp_path / "script", tmp_path / ".venv/tool.py"])) == [".venv/tool.py", "script"]


def test_excluded_patterns_are_left_out(tmp_path: Path) -> None:
    """The configuration can leave out files and folders."""
    _lay(tmp_path, "a.py", "fixtures/b.py", "c_gen.py")
    assert _names(discover([tmp_path], exclude=["fixtures/", "*_gen.py"])) == ["a.py"]


def test_overlapping_paths_give_each_file_once(tmp_path: Path) -> None:
    """A file that is reached twice is linted once."""
    _lay(tmp_path, "a.py", "sub/b.py")
    assert _names(discover([tmp_path, tmp_path / "sub", tmp_path / "a.py"])) == ["a.py", "sub/b.py"]


def test_a_missing_path_is_the_users_mistake(tmp_path: Path) -> None:
    """A typing error must not look like a clean run."""
    with pytest.raises(UsageError, match=r"gone\.py does not exist"):
        discover([tmp_path / "gone.py"])


def test_no_path_is_the_users_mistake() -> None:
    """There is no default folder to lint by accident."""
    with pytest.raises(UsageError, match="no path"):
        linted_folder([])


def test_the_linted_folder_of_files_outside_the_current_one_is_their_common_folder(tmp_path: Path) -> None:
    """Paths of a report stay short and relative."""
    _lay(tmp_path, "one/a.py", "two/b.py")
    assert linted_folder([tmp_path / "one/a.py", tmp_path / "two/b.py"]) == tmp_path


def test_the_linted_folder_of_several_paths_below_the_current_one_is_that_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`ctxlint src tests` reports paths that open from where it was called."""
    _lay(tmp_path, "src/a.py", "tests/b.py")
    monkeypatch.chdir(tmp_path)
    assert _names(discover([Path("src"), Path("tests")])) == ["src/a.py", "tests/b.py"]


def _make_socket(path: Path) -> None:
    """A socket's path is short by law, so it is bound from its folder."""
    code = f"import os, socket; os.chdir({str(path.parent)!r}); socket.socket(socket.AF_UNIX).bind({path.name!r})"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        pytest.param(os.mkfifo, "it is a pipe", id="pipe"),
        pytest.param(_make_socket, "it is a socket", id="socket"),
        pytest.param(lambda path: path.symlink_to("/dev/null"), "it is a device", id="device"),
        pytest.param(lambda path: path.symlink_to("odd.py"), "Too many levels of symbolic links", id="link-loop"),
        pytest.param(lambda path: path.symlink_to("gone.py"), "No such file", id="dangling-link"),
    ],
)
def test_what_is_no_file_is_reported(tmp_path: Path, make: Callable[[Path], None], reason: str) -> None:
    """Nothing that looks like Python is skipped in silence, and a pipe is never waited for."""
    _lay(tmp_path, "a.py")
    make(tmp_path / "odd.py")
    found = discover([tmp_path])
    assert _names(found) == ["a.py"]
    assert reason in _reasons(found)["odd.py"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    """A link to its own parent does not loop."""
    _lay(tmp_path, "sub/a.py")
    (tmp_path / "sub/again").symlink_to(tmp_path)
    (tmp_path / "sub/looks.py").symlink_to(tmp_path)
    assert _names(discover([tmp_path])) == ["sub/a.py"]


def test_a_link_to_a_linted_file_is_not_linted_again(tmp_path: Path) -> None:
    """One file gives its findings once."""
    _lay(tmp_path, "z.py")
    (tmp_path / "a.py").symlink_to("z.py")
    assert _names(discover([tmp_path])) == ["z.py"]


def test_a_link_to_a_file_elsewhere_is_linted(tmp_path: Path) -> None:
    """A file that has no other name in the folder is read through its link."""
    _lay(tmp_path, "outside/z.py")
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.py").symlink_to("../outside/z.py")
    assert _names(discover([tmp_path / "in"])) == ["a.py"]


def test_a_folder_without_permission_is_reported() -> None:
    """The files beside a closed folder are still found."""
    with open_folder() as folder:
        _lay(folder, "a.py", "closed/b.py")
        (folder / "closed").chmod(0o000)
        told = output_unprivileged(
            "from pathlib import Path; from ctxlint.discover import discover",
            f"found = discover([Path({str(folder)!r})])\n"
            "print([f.path for f in found.sources], [(f.place.path, f.message) for f in found.unreadable])",
        )
    assert told == "['a.py'] [('closed', 'not analysed: Permission denied')]"


def test_the_walk_goes_deeper_than_python_recurses(tmp_path: Path) -> None:
    """A deeply nested folder is walked, not recursed into."""
    deep = tmp_path
    for _ in range(300):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (deep / "a.py").write_text("")
    limit = sys.getrecursionlimit()
    assert len(_names(discover([tmp_path]))) == 1
    assert limit == sys.getrecursionlimit()


def test_an_ignore_file_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is linted as if it were not there; one above the linted folder is not ours to report."""

    def closed(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    _lay(tmp_path, "src/a.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("a.py\n")
    (tmp_path / "src/.gitignore").write_text("a.py\n")
    monkeypatch.setattr(Path, "read_bytes", closed)
    found = discover([tmp_path / "src"])
    assert _names(found) == ["a.py"]
    assert _reasons(found) == {".gitignore": "not analysed: Permission denied"}


def test_a_pattern_that_is_none_is_the_users_mistake(tmp_path: Path) -> None:
    """The message says that it is an exclude pattern."""
    with pytest.raises(UsageError, match="exclude pattern"):
        discover([tmp_path], exclude=["!"])
