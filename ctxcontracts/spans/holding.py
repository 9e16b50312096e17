"""What a value holds somewhere inside: one walk, for the options of a summarizer and for the arguments of `@derives`.

    where_derived({"notes": {"old": [expose(span.text)]}})      # "notes['old'][0]"

The walk is breadth first and bounded: a client object among the options costs a tenth of a second at worst.
It looks into mappings (keys too), sequences, sets, views, `functools.partial`, attributes in `__dict__` and
`__slots__`, and `content` and `text` where they are properties. It does not look into functions, classes and modules.
"""

from __future__ import annotations

import array
import functools
import types
from collections import deque
from collections.abc import Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, NamedTuple

from ctxcontracts.spans.mark import OPEN
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText

DEPTH = 12
"""How deep containers are searched. What lies deeper is taken for the user's own structure."""

OBJECTS = 20_000
"""How many objects are searched by their attributes, the shallow ones first. Containers are searched whole."""

_NO_PARTS = (
    int,
    float,
    complex,
    bytes,
    bytearray,
    memoryview,
    range,
    array.array,
    type,
    types.ModuleType,
    ObservedSpan,
)
_CONTAINERS = (Mapping, Sequence, AbstractSet, KeysView, ValuesView)
_SPOKEN = ("content", "text")


class Leaf(NamedTuple):
    """A text somewhere inside (a `str`, a derived text or span), and where it is, as a user would write it."""

    path: str
    value: str | DerivedText | DerivedSpan

    def __repr__(self) -> str:
        return f"<Leaf {self.path}, a {type(self.value).__name__}>"


def leaves(named: Mapping[str, object]) -> Iterator[Leaf]:
    """Every text inside of named values, the shallow ones first, each object once.

    Args:
        named: the values, by the names that begin their paths.
    """
    queue = deque((name, value, 0) for name, value in named.items())
    seen: dict[int, object] = {}  # holds the objects, so that no id is used again while the walk lasts
    objects = 0
    while queue:
        path, value, depth = queue.popleft()
        if isinstance(value, (str, DerivedText, DerivedSpan)):
            yield Leaf(path, value)
            continue
        if value is None or isinstance(value, _NO_PARTS) or depth >= DEPTH or id(value) in seen:
            continue
        seen[id(value)] = value
        is_object = not isinstance(value, _CONTAINERS)
        objects += is_object
        if not is_object or objects <= OBJECTS:
            with suppress(Exception):  # somebody else's object, which may raise anything when it is read
                queue.extend((path + part, item, depth + 1) for part, item in _parts(value))


def where_derived(named: Mapping[str, object]) -> str | None:
    """The path to the first derived text in named values, or None.

    Derived are: derived spans and texts, exposed text, and strings that carry the mark of derived text.
    """
    return next((leaf.path for leaf in leaves(named) if _is_derived(leaf.value)), None)


def _is_derived(value: str | DerivedText | DerivedSpan) -> bool:
    return not isinstance(value, str) or isinstance(value, DerivedStr) or OPEN in value


def _parts(value: Any) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        for key, item in _items(value):
            yield f"[{shown_key(key)}]", item
            yield f"[{shown_key(key)}] (the key)", key
    elif isinstance(value, _CONTAINERS):
        for index, item in enumerate(_elements(value)):
            yield f"[{index}]", item
    elif isinstance(value, functools.partial):
        yield ".args", value.args  # pyright: ignore[reportUnknownMemberType]
        yield ".keywords", value.keywords  # pyright: ignore[reportUnknownMemberType]
    elif not callable(value):
        yield from _attributes(value)


def _items(mapping: Any) -> list[tuple[object, object]]:
    return list(mapping.items())


def _elements(container: Any) -> list[object]:
    return list(container)


def shown_key(key: object) -> str:
    """A key in a path. A key may be a text of the user, so that only short names are shown (P14)."""
    if isinstance(key, int) or (type(key) is str and key.isidentifier() and len(key) <= 40):
        return repr(key)
    return "..."


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    held = dict(getattr(value, "__dict__", {}))
    for owner in type(value).__mro__:
        slots = owner.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            private = slot.startswith("__") and not slot.endswith("__")
            name = f"_{owner.__name__.lstrip('_')}{slot}" if private else slot
            if name not in {"__dict__", "__weakref__"}:
                held.setdefault(name, getattr(value, name, None))
    for name in _SPOKEN:
        if isinstance(getattr(type(value), name, None), property):
            held.setdefault(name, _property(value, name))
    for name, item in held.items():
        yield f".{name}", item


def _property(value: object, name: str) -> object:
    try:
        return getattr(value, name)
    except Exception:  # noqa: BLE001 - a property of somebody else's object may raise anything
        return None
