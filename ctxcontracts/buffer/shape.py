"""What a message carries beside role and text, and how it is rendered again."""

from __future__ import annotations

from typing import Any

from ctxcontracts.coldstore.journal import Fields
from ctxcontracts.spans.record import ObservedRecord


def message_of(record: ObservedRecord, fields: Fields) -> dict[str, Any]:
    """The message of an original that came in as a message."""
    return {"role": record.role.value, "content": record.text, **fields}
