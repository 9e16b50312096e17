# a protocol of a summarizer over any spans, filled by a summarizer
# differs from r7_protocol_editor: a callable protocol, against a class with __call__
from __future__ import annotations
from collections.abc import Sequence
from typing import Protocol
from ctxcontracts import AnySpan, DerivedText
from support import der, shrink

class Shortens(Protocol):
    def __call__(self, spans: Sequence[AnySpan], /) -> DerivedText: ...


by: Shortens = shrink  # E: Shortens
by([der])
