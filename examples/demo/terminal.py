"""How the demo prints: headings and indented lines, bold only where somebody looks at a terminal."""

from __future__ import annotations

import os
import sys

_BOLD = sys.stdout.isatty() and "NO_COLOR" not in os.environ


def heading(text: str) -> None:
    """Print the title of a part."""
    print(f"\n\033[1m{text}\033[0m" if _BOLD else f"\n{text}", flush=True)


def plain(text: str) -> None:
    """Print a line as it is."""
    print(text, flush=True)


def indented(text: str, *, by: str = "   ") -> None:
    """Print lines a little to the right."""
    for line in text.rstrip().splitlines():
        print(f"{by}{line}".rstrip(), flush=True)
