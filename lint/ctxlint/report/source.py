"""Source text by line, counted as Python counts lines."""

from __future__ import annotations

from collections.abc import Mapping


class SourceLines:
    """The lines of an outcome's files. A line that does not exist is empty: a file may have changed meanwhile."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._lines: dict[str, list[str]] = {}

    def line(self, path: str, number: int) -> str:
        """Line `number` (from 1) of `path`, without its end."""
        lines = self._of(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def known(self, path: str) -> bool:
        """Whether the text of `path` is at hand."""
        return path in self._texts

    def _of(self, path: str) -> list[str]:
        if path not in self._lines:
            # Not str.splitlines: that also splits at form feeds and other characters that end no line in Python.
            whole = self._texts.get(path, "").removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
            self._lines[path] = whole.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return self._lines[path]
