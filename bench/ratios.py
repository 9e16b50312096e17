"""What runs of ctxlint cost beside one another: ratios of user seconds, medians of interleaved rounds.

    python bench/ratios.py PACKAGES [PACKAGE ...] [--rounds 3]

PACKAGES holds one folder a package. Each round measures `ast.parse` of all files; a cold run with one job; one with
two (its own seconds and those of its slowest worker); a warm run; a run after one file has changed;
`ctxlint --version`
and an empty Python; and the standard library of this Python without its tests, against `ast.parse`.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from corpus import PARSE_ALL

TARGETS = {
    "cold / ast.parse": 2.5,
    "two jobs / one": 0.65,
    "warm / cold": 0.05,
    "one changed file / cold": 0.2,
    "--version / python": 2.0,
    "standard library / ast.parse": 0.25,
}
TWO_JOBS = """
import os, resource, sys
from ctxlint.cli import main
from ctxlint.load import workers
used = [0.0]
def kill(worker):
    worker.process.kill()
    _, state, usage = os.wait4(worker.process.pid, 0)
    worker.process.returncode = state
    used.append(usage.ru_utime)
workers._Worker.kill = kill
main([*sys.argv[1:], "--jobs", "2", "--no-cache", "--fail-on", "never"])
print()
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime + max(used))
"""


def seconds(*command: str, env: dict[str, str] | None = None) -> tuple[float, str]:
    """User seconds of a process and of those that it has waited for, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False, env=env)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


def lint(folder: Path, *words: str, cache: Path | None = None) -> float:
    environment = {**os.environ, **({"CTXLINT_CACHE_DIR": str(cache)} if cache else {})}
    words = words if cache else (*words, "--no-cache")
    told = ("-m", "ctxlint", str(folder), "--jobs", "1", "--fail-on", "never", *words)
    return seconds(*told, env=environment)[0]


def package_round(package: Path) -> dict[str, float]:
    """The seconds of one package by kind of run; its files are copied, since one is changed."""
    with tempfile.TemporaryDirectory() as name:
        folder, cache = Path(name, "package"), Path(name, "cache")
        shutil.copytree(package, folder)
        row = {
            "ast.parse": seconds("-c", PARSE_ALL, str(folder))[0],
            "cold": lint(folder),
            "two": float(seconds("-c", TWO_JOBS, str(folder))[1].splitlines()[-1]),
        }
        lint(folder, cache=cache)
        row["warm"] = lint(folder, cache=cache)
        with max(folder.rglob("*.py"), key=lambda path: path.stat().st_size).open("a") as file:
            file.write("\n\ndef added_for_the_benchmark(value):\n    return value\n")
        row["changed"] = lint(folder, cache=cache)
    return row


def one_round(packages: list[Path]) -> dict[str, float]:
    """The ratios of one round."""
    total: dict[str, float] = {}
    for package in packages:
        for kind, spent in package_round(package).items():
            total[kind] = total.get(kind, 0.0) + spent
    starts = [(seconds("-m", "ctxlint", "--version")[0], seconds("-c", "pass")[0]) for _ in range(9)]
    with tempfile.TemporaryDirectory() as name:
        library = Path(name, "library")
        left_out = shutil.ignore_patterns("site-packages", "test", "tests", "__pycache__")
        shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=left_out)
        library_ratio = lint(library) / seconds("-c", PARSE_ALL, str(library))[0]
    return {
        "cold / ast.parse": total["cold"] / total["ast.parse"],
        "two jobs / one": total["two"] / total["cold"],
        "warm / cold": total["warm"] / total["cold"],
        "one changed file / cold": total["changed"] / total["cold"],
        "--version / python": statistics.median(a for a, _ in starts) / statistics.median(b for _, b in starts),
        "standard library / ast.parse": library_ratio,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("only", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    every = sorted(path for path in args.packages.iterdir() if path.is_dir())
    packages = [path for path in every if not args.only or path.name in args.only]
    rounds = [one_round(packages) for _ in range(args.rounds)]
    for name, target in TARGETS.items():
        median = statistics.median(found[name] for found in rounds)
        print(f"{name:32} {median:7.3f}   target {target:5.2f}   {'holds' if median <= target else 'does not hold'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
