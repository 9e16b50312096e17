"""From files to IR: read, decoded, parsed and lowered; cached by content, in workers where there is much to do.

Whatever a worker imports lies here. The rules do not: a worker starts sooner without them.
"""

from __future__ import annotations

from ctxlint.load.cache import open_cache
from ctxlint.load.files import Loading, load
from ctxlint.load.options import Options
from ctxlint.load.texts import TextFiles

__all__ = ["Loading", "Options", "TextFiles", "load", "open_cache"]
