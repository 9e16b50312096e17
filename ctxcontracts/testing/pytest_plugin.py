"""A pytest plugin: a failed comparison of span texts shows kinds and lengths, and where they differ, not the texts.

pytest finds it by itself where the library is installed; `-p no:ctxcontracts` turns it off.
"""

from __future__ import annotations

from ctxcontracts.spans.text import DerivedStr, ObservedText


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """What pytest prints for a failed `left op right`, or None where no text of a span is compared."""
    if not isinstance(left, (ObservedText, DerivedStr)) and not isinstance(right, (ObservedText, DerivedStr)):
        return None
    told = [f"{_shown(left)} {op} {_shown(right)}"]
    if op == "==" and isinstance(left, str) and isinstance(right, str):
        told.append(f"they differ from character {_first_difference(left, right)} on")
    return told


def _shown(value: object) -> str:
    if isinstance(value, (ObservedText, DerivedStr)):
        return repr(value)
    return (
        f"<{type(value).__name__}, {len(value)} characters>"
        if isinstance(value, str)
        else f"<{type(value).__name__}>"
    )


def _first_difference(left: str, right: str) -> int:
    pairs = zip(str.__iter__(left), str.__iter__(right), strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
