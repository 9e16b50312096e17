"""How a buffer measures texts: their digest, and their size by the user's token counter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast, final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.plan import Arrival, new_arrival
from ctxcontracts.coldstore.content import digest_once
from ctxcontracts.coldstore.journal import NO_FIELDS, Fields
from ctxcontracts.contracts.guards import guard_text
from ctxcontracts.contracts.predicates import text_is_observed
from ctxcontracts.contracts.violation import explained
from ctxcontracts.spans.text import ObservedText
from ctxcontracts.spans.tokens import TokenCounter

Redact: TypeAlias = Callable[[str], str]
"""Gives a text without what must not be kept."""

_TOO_MANY = 2**63
"""What no window has, and what stores and reports cannot write down."""


@final
class Meter:
    """A token counter with its name, the guards around it, and what takes secrets out of texts before they count.

    Args:
        count_tokens: the user's counter.
        redact: gives a text without what must not be kept; None where all may be.

    Raises:
        CtxContractsError: when it cannot be called.
    """

    __slots__ = ("_count", "_redact", "name")

    def __init__(self, count_tokens: TokenCounter, redact: Redact | None = None) -> None:
        if not callable(count_tokens):
            raise refusal.no_counter(count_tokens)
        if redact is not None and not callable(redact):
            raise refusal.no_redaction(redact)
        self._count = count_tokens
        self._redact = redact
        self.name: str = getattr(count_tokens, "__qualname__", type(count_tokens).__qualname__)

    @property
    def plain(self) -> Meter:
        """The same counter, for texts that were redacted already."""
        return Meter(self._count)

    def redacted(self, text: str) -> str:
        """A text as it may be kept.

        Raises:
            CtxContractsError: when the hook gives something else than a text; also whatever it raises.
        """
        if self._redact is None:
            return text
        given = cast("object", self._redact(text))
        if not isinstance(given, str):
            raise refusal.no_redaction(given)
        return str.__str__(given)

    def tokens(self, text: str) -> int:
        """The size of a text.

        Raises:
            CtxContractsError: when the counter gives no size (an int in 0..2**63); else what it raises.
        """
        tokens: object = self._count(text)
        if type(tokens) is not int or not 0 <= tokens < _TOO_MANY:
            raise refusal.bad_count(self.name, tokens)
        return tokens

    def arrival(self, text: object, call: str, *, pinned: bool, message: Fields = NO_FIELDS) -> Arrival:
        """A text that came through a door, measured.

        Args:
            text: what should be observed text.
            call: the method as the user knows it, for messages.
            pinned: whether no rewrite and no policy may remove it.
            message: what its message carries beside role and content.

        Raises:
            ProvenanceError: when it came through no door.
            CtxContractsError: when the counter gives no size.
        """
        # The same condition as the guard's, without its calls: this is the hot path.
        observed = text if type(text) is ObservedText else guard_text(text, call=call)
        try:
            origin, role = observed.origin, observed.role
        except AttributeError:
            raise explained(text_is_observed, call, text=text) from None
        raw = str(observed) if self._redact is None else self.redacted(str(observed))
        tokens: object = self._count(raw)
        if type(tokens) is not int or not 0 <= tokens < _TOO_MANY:
            raise refusal.bad_count(self.name, tokens)
        return new_arrival((raw, digest_once(raw), origin, role, tokens, pinned, message))
