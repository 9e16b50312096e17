# a protocol whose rewrite takes any span, filled by a buffer
# differs from r2_subclass_generic: the look-alike is the buffer's type, not the span's
from __future__ import annotations
from typing import Protocol
from ctxcontracts import AnySpan, DerivedSpan, Summarizer
from support import buf, der, shrink

class Editor(Protocol):
    def rewrite(self, spans: AnySpan, by: Summarizer[...], /) -> DerivedSpan: ...


editor: Editor = buf  # E: Editor
editor.rewrite(der, shrink)
