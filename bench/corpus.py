"""Runs ctxlint over a folder of packages: findings as SARIF, and its user seconds beside those of `ast.parse` alone.

    python bench/corpus.py PACKAGES OUT [PACKAGE ...]

PACKAGES holds one folder a package; OUT gets one `PACKAGE.sarif` each. Both are measured in the same run, cold, one
process each, user CPU of the finished process. ctxlint is compiled to bytecode before, as an installer does it: from
sources alone every start would cost 0.2 s more, which is no time of a run.
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


def measure(package: Path, out: Path) -> dict[str, float]:
    """Lints one package and parses it; gives the figures of both."""
    report = out / f"{package.name}.sarif"
    command = [sys.executable, "-m", "ctxlint", str(package), "--format", "sarif", "--output", str(report)]
    linted, done = user_seconds([*command, "--no-cache", "--jobs", "1", "--fail-on", "never"])
    if done.returncode:
        print(f"{package.name}: exit {done.returncode}: {done.stderr.strip()[-400:]}", file=sys.stderr)
    parsed, lines = user_seconds([sys.executable, "-c", PARSE_ALL, str(package)])
    results = json.loads(report.read_text())["runs"][0]["results"] if report.exists() else []
    found = sum(result["ruleId"] in ("CTX001", "CTX002") for result in results)
    return {"lines": int(lines.stdout), "findings": found, "ctxlint": linted, "ast.parse": parsed}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("only", nargs="*")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    compileall.compile_dir(Path(str(files("ctxlint"))), quiet=2)
    total = dict.fromkeys(("lines", "findings", "ctxlint", "ast.parse"), 0.0)
    for package in sorted(path for path in args.packages.iterdir() if path.is_dir()):
        if args.only and package.name not in args.only:
            continue
        row = measure(package, args.out)
        total = {key: total[key] + row[key] for key in total}
        show(package.name, row)
    show("all", total)
    return 0


def show(name: str, row: dict[str, float]) -> None:
    ratio = row["ctxlint"] / max(row["ast.parse"], 1e-9)
    print(
        f"{name:28} {row['lines']:9.0f} lines  {row['findings']:4.0f} findings  "
        f"ctxlint {row['ctxlint']:7.2f} s  ast.parse {row['ast.parse']:6.2f} s  ratio {ratio:5.2f}",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
