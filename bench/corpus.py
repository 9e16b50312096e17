"""Runs ctxlint over a folder of packages: findings as SARIF, and its user seconds beside those of `ast.parse` alone.

    python bench/corpus.py PACKAGES OUT [PACKAGE ...] [--python PYTHON]

PACKAGES holds one folder a package; OUT gets one `PACKAGE.sarif` each. Both are measured in the same run, cold, one
process each, user CPU of the finished process. ctxlint is compiled to bytecode before, as an installer does it: from
sources alone every start would cost 0.2 s more, which is no time of a run.

What is measured is the ctxlint that this Python imports, which in a checkout is the interpreted one. With `--python`,
the Python of an environment where a wheel is installed runs that one beside it, package by package: the compiled one
is measured against the same `ast.parse` as the interpreted one, and their reports must be the same, byte by byte.
"""

from __future__ import annotations

import argparse
import compileall
import json
import resource
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

PARSE_ALL = """
import ast, pathlib, sys, warnings
warnings.simplefilter("ignore")
lines = 0
for path in sorted(pathlib.Path(sys.argv[1]).rglob("*.py")):
    try:
        source = path.read_bytes()
        lines += source.count(b"\\n")
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, OSError):
        pass
print(lines)
"""


def user_seconds(command: list[str]) -> tuple[float, subprocess.CompletedProcess[str]]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done


def lint(python: str, package: Path, report: Path) -> float:
    """Lints one package by the ctxlint of a Python; its user seconds."""
    command = [python, "-m", "ctxlint", str(package), "--format", "sarif", "--output", str(report)]
    if python != sys.executable:
        command.insert(1, "-I")  # what is installed there, whatever lies around
    seconds, done = user_seconds([*command, "--no-cache", "--jobs", "1", "--fail-on", "never"])
    if done.returncode:
        print(f"{package.name}: exit {done.returncode}: {done.stderr.strip()[-400:]}", file=sys.stderr)
    return seconds


def measure(package: Path, out: Path, python: str | None) -> dict[str, float]:
    """Lints one package and parses it; gives the figures of both, and of the other Python's ctxlint."""
    report = out / f"{package.name}.sarif"
    linted = lint(sys.executable, package, report)
    other = 0.0
    if python is not None:
        beside = out / f"{package.name}.other"
        other = lint(python, package, beside)
        if not beside.exists() or beside.read_bytes() != report.read_bytes():
            print(f"{package.name}: the other ctxlint reports something else: {beside}", file=sys.stderr)
        else:
            beside.unlink()
    parsed, lines = user_seconds([sys.executable, "-c", PARSE_ALL, str(package)])
    results = json.loads(report.read_text())["runs"][0]["results"] if report.exists() else []
    found = sum(result["ruleId"] in ("CTX001", "CTX002") for result in results)
    return {"lines": int(lines.stdout), "findings": found, "ctxlint": linted, "other": other, "ast.parse": parsed}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("only", nargs="*")
    parser.add_argument("--python", help="the Python of an environment whose ctxlint is measured as well")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    compileall.compile_dir(Path(str(files("ctxlint"))), quiet=2)
    total = dict.fromkeys(("lines", "findings", "ctxlint", "other", "ast.parse"), 0.0)
    for package in sorted(path for path in args.packages.iterdir() if path.is_dir()):
        if args.only and package.name not in args.only:
            continue
        row = measure(package, args.out, args.python)
        total = {key: total[key] + row[key] for key in total}
        show(package.name, row)
    show("all", total)
    return 0


def show(name: str, row: dict[str, float]) -> None:
    least = max(row["ast.parse"], 1e-9)
    ratio = row["ctxlint"] / least
    beside = f"  other {row['other']:7.2f} s  ratio {row['other'] / least:5.2f}" if row["other"] else ""
    print(
        f"{name:28} {row['lines']:9.0f} lines  {row['findings']:4.0f} findings  "
        f"ctxlint {row['ctxlint']:7.2f} s  ast.parse {row['ast.parse']:6.2f} s  ratio {ratio:5.2f}{beside}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
