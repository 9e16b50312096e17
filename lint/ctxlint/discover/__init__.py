"""Which files a run reads: the paths of the command line, walked in one fixed order.

    app/            .gitignore says "gen/"       -> app/main.py
    app/main.py     a Python file                   app/prompts/fold.md  (a text, read only on demand)
    app/gen/a.py    ignored by git
    app/pipe.py     a FIFO                       -> a CTX901 finding, never opened

Nothing is opened here but `.gitignore` files.
"""

from __future__ import annotations

from ctxlint.discover.files import Discovery, SourceFile, TextFile
from ctxlint.discover.root import linted_folder
from ctxlint.discover.walk import discover

__all__ = ["Discovery", "SourceFile", "TextFile", "discover", "linted_folder"]
