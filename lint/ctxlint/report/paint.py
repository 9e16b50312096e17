"""Colour for terminals, and source text that cannot control them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from ctxlint.finding import Severity

_TAB = "    "
_RESET = "\x1b[0m"


@dataclass(frozen=True, slots=True)
class Paint:
    """A palette: plain unless `colour` is set. Every method returns its text, painted or not."""

    colour: bool = False

    def severity(self, text: str, severity: Severity) -> str:
        """`text` in the colour of `severity`."""
        codes = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
        return self._paint(text, codes[severity])

    def bold(self, text: str) -> str:
        """What a reader should see first."""
        return self._paint(text, "1")

    def frame(self, text: str) -> str:
        """Line numbers, bars and arrows."""
        return self._paint(text, "1;34")

    def dim(self, text: str) -> str:
        """What may be skipped."""
        return self._paint(text, "2")

    def good(self, text: str) -> str:
        """Good news and advice."""
        return self._paint(text, "1;32")

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.colour and text else text


def printable(text: str) -> str:
    """`text` on one line, tabs as four blanks, control characters replaced: code must not steer a terminal."""
    if text.isprintable():
        return text
    return "".join(_TAB if c == "\t" else c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def columns(text: str) -> int:
    """How many terminal columns `text` (already printable) takes: East Asian characters take two, marks none."""
    if text.isascii():
        return len(text)
    return sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clipped(text: str, width: int) -> str:
    """`text` (already printable), cut to `width` columns with an ellipsis where it is longer."""
    if columns(text) <= width:
        return text
    kept: list[str] = []
    used = 1
    for character in text:
        used += _columns(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"
