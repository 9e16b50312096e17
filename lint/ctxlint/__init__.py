"""ctxlint finds summarizers that summarize their own summaries: where it happens, and by which path.

The command is `ctxlint PATH...`; `check_module` is the same rule over one libcst module. Importing this package
imports nothing else: what is heavy loads when it is first used.
"""

from __future__ import annotations

from ctxlint.version import __version__

TYPE_CHECKING = False  # type checkers read it as true; importing `typing` for it would double the start-up time
if TYPE_CHECKING:
    from ctxlint.libcst_rule import NodeFinding, check_module

__all__ = ["NodeFinding", "__version__", "check_module"]


def __getattr__(name: str) -> object:
    """Load the libcst rule on first use (PEP 562).

    Raises:
        AttributeError: when the package has no such name.
        UsageError: when the name needs libcst and libcst is not installed.
    """
    if name in {"NodeFinding", "check_module"}:
        from ctxlint import libcst_rule  # noqa: PLC0415 - libcst costs 0.2 s, most imports of ctxlint never need it

        return getattr(libcst_rule, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
