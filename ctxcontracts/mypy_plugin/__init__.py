"""A mypy plugin: errors of our own for what the types alone do not show, each with what to write instead.

    # pyproject.toml
    [tool.mypy]
    plugins = ["ctxcontracts.mypy_plugin"]

| code | says |
|---|---|
| `ctx-rewrite` | a summarizer would read derived text: a derived span in a rewrite, an option, its own body |
| `ctx-launder` | derived text goes through a door, or something that came through none is observed |
| `ctx-any` | the argument is `Any`, so that no checker can tell which of the two it is |

It only adds errors. It hooks functions and methods of this library alone, returns every type and signature as mypy
made it, and so hides no hook of mypy or of another plugin.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from mypy.plugin import Plugin

from ctxcontracts.mypy_plugin.hooks import CtxContractsPlugin

__all__ = ["CtxContractsPlugin", "plugin"]

_FILES = sorted(Path(__file__).parent.glob("*.py"))
__version__: Final = hashlib.sha256(b"".join(file.read_bytes() for file in _FILES)).hexdigest()[:16]
"""What mypy's cache knows the plugin by, beside this one file: a newer plugin looks at everything again."""


def plugin(version: str) -> type[Plugin]:
    """The entry point that mypy calls.

    Args:
        version: the version of mypy, which makes no difference.
    """
    del version
    return CtxContractsPlugin
