"""What pydantic is told about the sealed types: a field takes an instance and is written as `encoded` writes it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ctxcontracts.errors import Promise, ProvenanceError


def sealed_schema(kind: type, *, made_by: str) -> Any:
    """The core schema of a sealed type.

    Args:
        kind: the sealed type.
        made_by: the call that makes one, for the error.
    """
    core_schema: Any = import_module("pydantic_core.core_schema")  # pydantic asks, so it is there
    from ctxcontracts.spans.travel import encoded  # noqa: PLC0415 - it knows the types that ask here

    return core_schema.no_info_plain_validator_function(
        _instance_of(kind, made_by),
        serialization=core_schema.plain_serializer_function_ser_schema(encoded, when_used="json"),
    )


def _instance_of(kind: type, made_by: str) -> Callable[[object], object]:
    def validate(value: object) -> object:
        if type(value) is kind:
            return value
        raise ProvenanceError(
            f"a field of type {kind.__name__} was given a {type(value).__name__}",
            promise=Promise.PROVENANCE,
            instead=f"pass what {made_by} gives",
        )

    return validate
