"""`python -m ctxlint`: the same as the command `ctxlint`."""

from __future__ import annotations

from ctxlint.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
