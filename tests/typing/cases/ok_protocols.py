# protocols of the user that a buffer and a summarizer fill
# differs from ok_default_by: structural types in place of our own names
from __future__ import annotations
from collections.abc import Sequence
from typing import Protocol
from ctxcontracts import AnySpan, DerivedText, ObservedSpan
from support import buf, obs, shrink

class Window(Protocol):
    @property
    def spans(self) -> tuple[AnySpan, ...]: ...
    @property
    def tokens(self) -> int: ...


class Shortens(Protocol):
    def __call__(self, spans: Sequence[ObservedSpan], /) -> DerivedText: ...


window: Window = buf
by: Shortens = shrink
print(window.tokens, by([obs]))
