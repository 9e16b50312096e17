"""Whether a value holds derived text somewhere inside, and where."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

from ctxcontracts.spans.mark import OPEN
from ctxcontracts.spans.span import DerivedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText

DEPTH = 12
"""How deep containers are searched. What lies deeper is taken for the user's own structure."""


def where_derived(value: Mapping[str, object]) -> str | None:
    """The path to the first derived text in a mapping of named values, as a user would write it, or None.

    Looks for derived spans and texts, exposed text and marked strings in mappings, sequences, sets, dataclasses and
    plain objects with attributes, `DEPTH` levels deep.
    """
    for name, item in value.items():
        found = _find(item, name, DEPTH, set())
        if found is not None:
            return found
    return None


def _find(value: object, path: str, depth: int, seen: set[int]) -> str | None:
    if isinstance(value, (DerivedText, DerivedStr, DerivedSpan)):
        return path
    if isinstance(value, str):
        return path if OPEN in value else None
    if value is None or isinstance(value, (int, float, bytes, type)) or depth == 0 or id(value) in seen:
        return None
    seen.add(id(value))
    for part, item in _parts(value):
        found = _find(item, path + part, depth - 1, seen)
        if found is not None:
            return found
    return None


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, item in value.items():  # pyright: ignore[reportUnknownVariableType] - any mapping
            yield f"[{key!r}]" if isinstance(key, (str, int)) else "[...]", item
    elif isinstance(value, (list, tuple, set, frozenset)):
        for index, item in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            yield f"[{index}]", item
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield f".{field.name}", getattr(value, field.name, None)
    elif not callable(value) and hasattr(value, "__dict__"):
        for name, item in vars(value).items():
            yield f".{name}", item
