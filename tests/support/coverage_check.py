"""Runs the tests under branch coverage and holds each part of the packages to its floor.

The floors: 100 % for what the promises rest on, 95 % for everything else. Processes that tests start count too.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHOLE = ("ctxcontracts/spans/", "ctxcontracts/contracts/", "ctxcontracts/buffer/", "ctxcontracts/coldstore/")
FLOOR_ELSEWHERE = 95.0


def parts(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, tuple[int, int]]:
    """Covered and countable lines and branches, for each part that has a floor of its own."""
    counted: dict[str, tuple[int, int]] = {}
    for name, data in files.items():
        part = next((folder for folder in WHOLE if folder in name), "elsewhere in " + name.split("/")[0])
        summary = data["summary"]
        done, of = counted.get(part, (0, 0))
        covered = summary["covered_lines"] + summary["covered_branches"]
        counted[part] = (done + covered, of + summary["num_statements"] + summary["num_branches"])
    return counted


def main() -> int:
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "erase"], cwd=ROOT, check=True)
    tests = subprocess.run([*coverage, "run", "-m", "pytest", "-q", "-n", "2"], cwd=ROOT, check=False)
    if tests.returncode:
        return tests.returncode
    subprocess.run([*coverage, "combine", "-q"], cwd=ROOT, check=True)
    report = ROOT / ".build" / "coverage.json"
    report.parent.mkdir(exist_ok=True)
    subprocess.run([*coverage, "json", "-q", "-o", report], cwd=ROOT, check=True)
    files = json.loads(report.read_text())["files"]
    failed = False
    for part, (done, of) in sorted(parts(files).items()):
        share, floor = 100 * done / max(of, 1), 100.0 if part in WHOLE else FLOOR_ELSEWHERE
        failed |= share < floor
        print(f"{part:32} {share:6.2f} %  (floor {floor:.0f} %){'  TOO LOW' if share < floor else ''}")
    if failed:
        subprocess.run([*coverage, "report", "--skip-covered", "--show-missing"], cwd=ROOT, check=False)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
