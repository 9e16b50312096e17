"""Where a span comes from: provenance, role, origin, and the two kinds of id."""

from __future__ import annotations

from enum import Enum
from typing import NewType, TypedDict

SourceId = NewType("SourceId", str)
"""The id of an observed span: `SESSION:oN`. It is also the key of its original in the cold store."""

DerivedId = NewType("DerivedId", str)
"""The id of a derived span: `SESSION:dN`. No original is kept under it: its sources are."""


class Provenance(Enum):
    """Observed (an original, generation 0) or derived (made by a summarizer, generation 1). There is no third."""

    OBSERVED = "observed"
    DERIVED = "derived"


class Role(Enum):
    """Who speaks, in the words of the chat APIs."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class Reference(TypedDict):
    """What stands for a span outside of its process: where to find it, and how to see that it is the same.

    `kind` is `observed` or `derived`, `digest` the sha256 of the text.
    """

    kind: str
    id: str
    digest: str
