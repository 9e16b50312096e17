"""What a type of mypy means to this library: derived, perhaps derived, `Any`, or none of these."""

from __future__ import annotations

from enum import Enum
from typing import Final

from mypy.types import (
    AnyType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypedDictType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from ctxcontracts.mypy_plugin.names import DERIVED, OBSERVED_TEXT, POISON


class Kind(Enum):
    """What the value of an expression may be."""

    DERIVED = "derived"
    PERHAPS_DERIVED = "perhaps derived"
    ANY = "any"
    OBSERVED_TEXT = "observed text"
    REFUSED = "refused by a door already"
    OTHER = "other"


_SAID_ALREADY = frozenset({TypeOfAny.from_error, TypeOfAny.special_form, TypeOfAny.implementation_artifact})
_DEPTH = 4


_WORST_FIRST: Final = (Kind.DERIVED, Kind.PERHAPS_DERIVED, Kind.ANY)
_NUMBERS: Final = frozenset({"builtins.int", "builtins.bool", "builtins.float"})
_OTHER: Final = Kind.OTHER
_BY_NAME: Final = dict.fromkeys(DERIVED, Kind.DERIVED) | {OBSERVED_TEXT: Kind.OBSERVED_TEXT, POISON: Kind.REFUSED}


def kind_of(given: Type | None) -> Kind:
    """The kind of a type: of a container that of what it holds; a union is derived when all its members are."""
    if type(given) is Instance and not given.args:  # by far the most types are
        return _BY_NAME.get(given.type.fullname, _OTHER)
    return _OTHER if given is None else _kind(get_proper_type(given), _DEPTH)


def holds_no_text(given: Type | None) -> bool:
    """Whether no value of a type holds text: a number."""
    proper = get_proper_type(given)
    return isinstance(proper, Instance) and proper.type.fullname in _NUMBERS


def _kind(given: ProperType, depth: int) -> Kind:
    if isinstance(given, AnyType):
        return Kind.OTHER if (given.source_any or given).type_of_any in _SAID_ALREADY else Kind.ANY
    if isinstance(given, UnionType):
        return _of_union([_kind(get_proper_type(item), depth - 1) for item in given.items])
    if isinstance(given, Instance):
        return _BY_NAME.get(given.type.fullname) or _of_parts(given.args, depth)
    if isinstance(given, TupleType):
        return _of_parts(given.items, depth)
    return _of_parts(list(given.items.values()), depth) if isinstance(given, TypedDictType) else Kind.OTHER


def _of_union(kinds: list[Kind]) -> Kind:
    if kinds and all(kind is Kind.DERIVED for kind in kinds):
        return Kind.DERIVED
    if any(kind in {Kind.DERIVED, Kind.PERHAPS_DERIVED} for kind in kinds):
        return Kind.PERHAPS_DERIVED
    return Kind.ANY if Kind.ANY in kinds else Kind.OTHER


def _of_parts(parts: tuple[Type, ...] | list[Type], depth: int) -> Kind:
    """A container that holds anything derived is derived: whoever reads it reads that too."""
    if depth <= 0 or not parts:
        return Kind.OTHER
    kinds = [_kind(get_proper_type(part), depth - 1) for part in parts]
    for kind in _WORST_FIRST:
        if kind in kinds:
            return kind
    return Kind.OTHER
