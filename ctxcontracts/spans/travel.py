"""How spans and texts are written outside of the process: spans by reference, observed text as a plain `str`.

    json.dumps(state, default=encoded)                  # {"last": {"kind": "observed", "id": "s:o1", ...}}
    msgspec.json.encode(state, enc_hook=encoded)
    ctxcontracts.from_dict(reference, store)            # the span again, read from the cold store

Derived text is not written without a word: `expose` says it.
"""

from __future__ import annotations

from ctxcontracts.errors import Promise, ProvenanceError
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText, ObservedText, plain


def encoded(value: object) -> object:
    """What a value of this library is written as: for `json.dumps(default=)` and msgspec's `enc_hook=`.

    Observed and exposed text become a plain `str`, spans their `to_dict()`.

    Raises:
        ProvenanceError: for derived text, which is exposed by name before it is written.
        RewritePolicyError: for exposed text while a summarizer runs.
        TypeError: for a value that is none of this library.
    """
    if isinstance(value, (ObservedSpan, DerivedSpan)):
        return value.to_dict()
    if isinstance(value, DerivedStr):
        return str(value)
    if isinstance(value, ObservedText):
        return plain(value)
    if isinstance(value, DerivedText):
        raise ProvenanceError(
            "derived text was to be encoded as it is",
            promise=Promise.PROVENANCE,
            instead="write expose(span.text) where a reader is meant, or span.to_dict() where a program is",
        )
    raise TypeError(f"a {type(value).__name__} is no value of ctxcontracts")
