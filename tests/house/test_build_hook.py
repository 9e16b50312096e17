"""What the build hook makes of the sources, and when it leaves them as they are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import hatch_build

ROOT = Path(__file__).resolve().parents[2]
CACHED = """\
class Names:
    @cached_property
    def by_length(self) -> dict[int, list[str]]:
        \"\"\"The names by how long they are.\"\"\"
        self.asked += 1
        return {3: ["abc"]}
"""


def test_a_cached_property_is_worked_out_once_without_a_dict() -> None:
    """Objects of compiled classes have none, so what was found is kept in a field."""
    room: dict[str, type] = {}
    exec(hatch_build.compilable(CACHED), room)
    names = room["Names"]()
    names.asked = 0
    assert names.by_length is names.by_length
    assert (names.by_length, names.asked) == ({3: ["abc"]}, 1)


def test_no_cached_property_stays_in_what_is_compiled() -> None:
    """One that is written in another form would be worked out at every read, and nothing would say so."""
    for folder in hatch_build.FOLDERS:
        for path in sorted((ROOT / hatch_build.SOURCES / folder).rglob("*.py")):
            tree = ast.parse(hatch_build.compilable(path.read_text("utf-8")))
            marks = [
                mark
                for node in ast.walk(tree)
                for mark in getattr(node, "decorator_list", ())
                if "cached_property" in ast.unparse(mark)
            ]
            assert not marks, path


def test_nobody_has_to_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Switched off, or without a compiler, the wheel is one of pure Python and asks for nothing to build it."""
    monkeypatch.setenv("CTXLINT_COMPILE", "0")
    assert hatch_build.obstacle() == "CTXLINT_COMPILE=0"
    monkeypatch.setenv("CTXLINT_COMPILE", "")
    monkeypatch.setenv("CC", str(tmp_path / "no-compiler"))
    assert hatch_build.obstacle() == "there is no C compiler"
    hook = hatch_build.CompileHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    assert hook.dependencies() == []
