"""A window as one text, so that a long session is opened from it and from the entries behind it.

    {"v": 1, "counter": "estimate_tokens", "last": [7, 3], "live": [[1, "s:d3"], [6, "s:o6"]],
     "gone": {"s:d1": ["s:o1", "s:o2"], "s:d3": ["s:d1"], "": ["s:o5"]}, ...}

It holds ids, digests and what is heard of summaries, and no text: the texts of the live spans come from the store,
where each is hashed again. It is a copy of what the journal tells: one that cannot be read is no loss.
"""

from __future__ import annotations

import base64
import json
from typing import Any, cast

from ctxcontracts.buffer.window import Window
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.spans.provenance import DerivedId

_VERSION = 1


def written(window: Window, *, counter: str) -> str:
    """A window as a text.

    Args:
        window: the window; nobody changes it meanwhile.
        counter: the name of the token counter that its journal names last.
    """
    gone: dict[str, list[str]] = {}
    for span_id, successor in window.gone.items():
        gone.setdefault(successor or "", []).append(span_id)
    return json.dumps(
        {
            "v": _VERSION,
            "counter": counter,
            "last": (window.last_observed, window.last_derived),
            "live": [(slot, span.id) for slot, span in window.slots.items()],
            "gone": gone,
            "forgotten": sorted(window.forgotten),
            "derived": list(window.derived),
            "messages": {span_id: dict(fields) for span_id, fields in window.messages.items()},
            "wholes": window.wholes,
            "heard": [(one, base64.b64encode(runs).decode("ascii")) for one, runs in window.echoes.kept()],
        },
        separators=(",", ":"),
    )


def restored(session: str, state: str, store: ColdStore) -> tuple[Window, str]:
    """The window that a text tells of, and the name of its token counter.

    Raises:
        LookupError: when something is missing in it; TypeError and ValueError, when it is something else.
        ColdStoreError: when a live span cannot be read from the store.
    """
    fields: dict[str, Any] = json.loads(state)
    if fields["v"] != _VERSION:
        raise ValueError(fields["v"])
    window = Window(session)
    window.derived = dict.fromkeys(fields["derived"])
    for slot, span_id in fields["live"]:
        span = store.derived(span_id) if span_id in window.derived else store.fetch(span_id)
        window.slots[slot] = span
        window.slot_of[span_id] = slot
        window.tokens += span.tokens
    for successor, ids in fields["gone"].items():
        window.gone.update(dict.fromkeys(ids, DerivedId(successor) if successor else None))
    window.forgotten.update(fields["forgotten"])
    window.last_observed, window.last_derived = fields["last"]
    window.informing_changed()
    window.messages = fields["messages"]
    window.wholes = fields["wholes"]
    for span_id, runs in fields["heard"]:
        window.echoes.add(span_id, base64.b64decode(runs))
    return window, cast("str", fields["counter"])
