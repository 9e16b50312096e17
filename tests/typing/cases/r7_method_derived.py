# a method as summarizer called on a derived span
# differs from r3_call_derived: the summarizer is bound by a descriptor protocol
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import der

class Model:
    @summarizer
    def ask(self, spans: Sequence[ObservedSpan], warmth: float = 0.0) -> str:
        return str(len(spans))


Model().ask([der])  # E: DerivedSpan
