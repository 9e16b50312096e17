"""What the README shows of the linter is what the linter prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).resolve().parents[2]


def shown_runs() -> list[tuple[list[str], str]]:
    """The blocks that open with a `$ ctxlint ...` line: its arguments, and the output below it."""
    tokens = MarkdownIt().parse((ROOT / "README.md").read_text(encoding="utf-8"))
    blocks = [token.content for token in tokens if token.type == "fence"]
    split = [block.partition("\n") for block in blocks if block.startswith("$ ctxlint ")]
    return [(command.split()[2:], output) for command, _, output in split]


def test_the_output_in_the_readme_is_real() -> None:
    """A newcomer who runs the command of the README sees the same lines."""
    runs = shown_runs()
    assert runs
    for arguments, output in runs:
        done = subprocess.run(
            [sys.executable, "-m", "ctxlint", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.stdout.rstrip() == output.rstrip()
