"""The errors of the linter itself: one root, and the class says whose fault it is."""

from __future__ import annotations


class CtxlintError(Exception):
    """Root of every error that ctxlint raises on purpose."""


class UsageError(CtxlintError):
    """The command line, a configuration or a model file asks for something that does not exist."""


class UnreadableError(CtxlintError):
    """A file could not be analysed; `reason` says why in one line, without a path and without source text."""

    def __init__(self, reason: str, *, line: int = 1) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class NewerSyntaxError(UnreadableError):
    """The running Python refuses a file that libcst may read, in a process that may be lost."""


class InternalError(CtxlintError):
    """A fault of ctxlint itself: please report it. The run goes on with the other files."""
