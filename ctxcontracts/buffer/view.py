"""What can be seen of a buffer: its spans, what became of others, the messages for the model, an audit.

Nothing here waits for a disk, but for `original` and `verify`, which read the cold store.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.rendered import Rendered, rendered
from ctxcontracts.buffer.session import Session
from ctxcontracts.buffer.verification import Verification, verified
from ctxcontracts.buffer.window import Window
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.running import refuse_while_summarizing
from ctxcontracts.spans.span import AnySpan, ObservedSpan


class BufferView:
    """The readable half of a `ContextBuffer`, which is the only class below it.

    Args:
        session: the session that is looked at.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def session(self) -> str:
        """The name of the session."""
        return self._session.name

    @property
    def store(self) -> ColdStore:
        """The cold store."""
        return self._session.store

    @property
    def tokens(self) -> int:
        """The size of the window: the sum over its live spans."""
        return self._session.tokens

    @property
    def spans(self) -> tuple[AnySpan, ...]:
        """The live spans, in order."""
        return self._session.read(_live)

    @property
    def is_unsure(self) -> bool:
        """Whether an interrupt came in the midst of a write; the next call reads the journal again by itself."""
        return self._session.is_unsure

    def mend(self) -> None:
        """Reads the journal again, where the window is unsure: what the next call would do."""
        self._session.mend()

    def is_live(self, span_id: SourceId | DerivedId, /) -> bool:
        """Whether the span with this id is in the window now."""
        return self._session.is_live(span_id)

    def rewritten_into(self, source: SourceId, /) -> DerivedId | None:
        """The derived span that stands, or stood last, for an observed span; None if it was never rewritten."""
        return self._session.rewritten_into(source)

    def __len__(self) -> int:
        return self._session.read(_number_live)

    def __bool__(self) -> bool:
        """Always true: an empty buffer is a buffer."""
        return True

    def __iter__(self) -> Iterator[AnySpan]:
        return iter(self.spans)

    def original(self, source: SourceId, /) -> ObservedSpan:
        """An original from the cold store, live or not, with its digest recomputed.

        Raises:
            OriginalMissingError: when there is none under this id.
            DamagedOriginalError: when what is kept does not have its digest.
            UnknownSpanError: when given anything but an id.
        """
        if not isinstance(source, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise refusal.no_id("buffer.original(source)", source)
        return self.store.fetch(source)

    def render(self) -> Rendered:
        """The flat messages for the model. No door takes them, nor a summarizer.

        Raises:
            RewritePolicyError: when called while a summarizer runs.
        """
        refuse_while_summarizing("render()")
        spans, messages = self._session.read(lambda window: (_live(window), dict(window.messages)))
        return rendered(spans, messages)

    def verify(self) -> Verification:
        """An audit of every live span against the cold store: false when it found damage. It changes nothing."""
        return verified(self.spans, self.store)


def _live(window: Window) -> tuple[AnySpan, ...]:
    return tuple(window.slots.values())


def _number_live(window: Window) -> int:
    return len(window.slots)
