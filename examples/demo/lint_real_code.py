"""The first part of the demo: ctxlint on a real agent package that nobody prepared for it."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import libcst
from ctxlint import check_module
from terminal import indented, plain

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "langchain-classic==1.0.8"
MEMORY = "langchain_classic/memory/summary.py"


def _fetch(folder: Path) -> Path | None:
    """The package, unpacked, neither installed nor run; None without a network. The wheel is kept."""
    kept = ROOT / ".build" / "demo"
    if not list(kept.glob("*.whl")):
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", str(kept)]
        if subprocess.run([*command, PACKAGE], capture_output=True, check=False).returncode:  # noqa: S603
            return None
    (wheel,) = kept.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "package")
    return folder / "package"


def _lint(target: Path, *options: str) -> str:
    command = [sys.executable, "-m", "ctxlint", ".", "--fail-on", "never", *options]
    return subprocess.run(command, cwd=target, capture_output=True, text=True, check=True).stdout  # noqa: S603


def show_lint(folder: Path) -> None:
    """Lint the package, show one finding whole and count the others, then show the same file through libcst."""
    fetched = _fetch(folder)
    if fetched is None:
        plain("   (no network: linting the programs in examples/ instead of a package)")
    target = fetched or ROOT / "examples" / "drift"
    results = json.loads(_lint(target, "--format", "sarif"))["runs"][0]["results"]
    files = sum(1 for _ in target.rglob("*.py"))
    codes = {code: sum(result["ruleId"] == code for result in results) for code in ("CTX001", "CTX002")}
    name = PACKAGE if fetched else "examples/drift"
    counted = ", ".join(f"{count} {code}" for code, count in codes.items())
    plain(f"   {name}, {files} files, read and never imported: {counted}. One of them whole:")
    shown = target / MEMORY if fetched else target / "rolling_memory.py"
    indented(_first_finding(_lint(target), shown.relative_to(target).as_posix()))
    others = [_one_line(result) for result in results if result["ruleId"] == "CTX001"]
    plain("   All CTX001, each with such a path:")
    indented("\n".join(others), by="      ")
    module = libcst.parse_module(shown.read_text(encoding="utf-8"))
    for found in check_module(module, path=shown.name):
        code = module.code_for_node(found.node).split("\n")[0]
        where = f"line {found.finding.place.line}, the {type(found.node).__name__} node of `{code}`"
        plain(f"   the libcst rule on {shown.name} alone: {found.finding.code} at {where}")


def _one_line(result: dict[str, Any]) -> str:
    """A finding as its place, its function and what brings the text back."""
    (place,) = result["locations"]
    physical = place["physicalLocation"]
    where = f"{physical['artifactLocation']['uri']}:{physical['region']['startLine']}"
    return f"{where:62} {result['properties']['carrier']}"


def _first_finding(report: str, file: str) -> str:
    """The first block of a text report that is about a file."""
    blocks = report.split("\n\n")
    start = next((number for number, block in enumerate(blocks) if file in block), 0)
    return blocks[start]
