"""The rules of the house: what the repository promises about its own shape."""

from __future__ import annotations

import ast
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 50
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "misc"}
# Assembled from parts, so that this file does not contain what it forbids.
REGISTRY_HOSTS = ["py" + "pi.org", "python" + "hosted", "registry.np" + "mjs", "deb.deb" + "ian"]
MACHINE_PATHS = ["/" + "work/", "/" + "farm/", "/" + "root/"]
UNFINISHED = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]


def tracked() -> list[Path]:
    """Every file that is, or is about to be, committed; in an unpacked tree without git, every file."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [path for name in listing.stdout.splitlines() if (path := ROOT / name).is_file()]


def python_files(*folders: str) -> list[Path]:
    return [p for p in tracked() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in folders]


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node


def test_no_python_file_is_longer_than_the_wall() -> None:
    """A file that grew past the wall is to be split along a noun."""
    long = {
        str(p.relative_to(ROOT)): n for p in tracked() if p.suffix == ".py" and (n := lines(p)) > MOST_LINES_OF_A_FILE
    }
    assert not long


def lines(path: Path) -> int:
    return len(path.read_bytes().splitlines())


def test_no_function_of_the_packages_is_longer_than_the_wall() -> None:
    """A function past the wall does more than one thing."""
    long = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": size
        for path in python_files("ctxcontracts", "lint")
        for node in functions(path)
        if (size := (node.end_lineno or node.lineno) - node.lineno + 1) > MOST_LINES_OF_A_FUNCTION
    }
    assert not long


def test_the_lint_folder_is_no_package() -> None:
    """`import lint` would work in a checkout and nowhere else."""
    assert not (ROOT / "lint" / "__init__.py").exists()


def test_modules_are_named_for_the_noun_they_define() -> None:
    """Names such as `utils` say nothing about what is inside."""
    bad = [
        str(p.relative_to(ROOT))
        for p in python_files("ctxcontracts", "lint", "tests", "bench")
        if p.stem in BANNED_NAMES
    ]
    assert not bad


def test_every_module_of_the_packages_says_what_it_is() -> None:
    """A module opens with a docstring."""
    silent = [
        str(p.relative_to(ROOT))
        for p in python_files("ctxcontracts", "lint")
        if not ast.get_docstring(ast.parse(p.read_text(encoding="utf-8")))
    ]
    assert not silent


@pytest.mark.parametrize(
    "words", [REGISTRY_HOSTS, MACHINE_PATHS], ids=["hosts of package registries", "paths of one machine"]
)
def test_nothing_committed_names(words: list[str]) -> None:
    """The project speaks of itself alone, and installs from whatever registry its user has."""
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in tracked()
        for word in words
        if word.encode() in path.read_bytes()
    ]
    assert not found


def test_the_packages_hold_nothing_unfinished() -> None:
    """What is not done is not in the code."""
    found = [
        f"{path.relative_to(ROOT)}: {word}"
        for path in python_files("ctxcontracts", "lint")
        for word in [*UNFINISHED, "NotImplemented" + "Error"]
        if word in path.read_text(encoding="utf-8")
    ]
    assert not found


def test_both_packages_are_typed() -> None:
    """A `py.typed` file tells type checkers to read our annotations."""
    assert (ROOT / "ctxcontracts" / "py.typed").is_file()
    assert (ROOT / "lint" / "ctxlint" / "py.typed").is_file()


def test_constraints_hold_names_and_versions_only() -> None:
    """A pin is `name==version`: no address, no hash, no path."""
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert line.startswith("#") or line.count("==") == 1, line
        assert "/" not in line, line


def test_every_test_says_in_a_sentence_what_a_user_gets() -> None:
    """The docstring of a test is what a reader of a failure sees first."""
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in python_files("tests")
        if path.name.startswith("test_")
        for node in functions(path)
        if node.name.startswith("test_") and not ast.get_docstring(node)
    ]
    assert not silent


def test_every_decision_stands_in_the_index() -> None:
    """A page that nothing links to is a page that nobody reads."""
    folder = ROOT / "docs" / "design"
    index = (folder / "index.md").read_text(encoding="utf-8")
    assert [
        page.name for page in folder.glob("*.md") if page.name != "index.md" and f"({page.name})" not in index
    ] == []
