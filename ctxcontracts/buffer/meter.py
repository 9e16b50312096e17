"""How a buffer measures texts: their digest, and their size by the user's token counter."""

from __future__ import annotations

from typing import final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.plan import Arrival, new_arrival
from ctxcontracts.coldstore.content import digest_once
from ctxcontracts.coldstore.journal import NO_FIELDS, Fields
from ctxcontracts.contracts.guards import guard_text
from ctxcontracts.contracts.predicates import text_is_observed
from ctxcontracts.contracts.violation import explained
from ctxcontracts.spans.text import ObservedText
from ctxcontracts.spans.tokens import TokenCounter


@final
class Meter:
    """A token counter with its name, and the guards around it.

    Args:
        count_tokens: the user's counter.
    """

    __slots__ = ("_count", "name")

    def __init__(self, count_tokens: TokenCounter) -> None:
        self._count = count_tokens
        self.name: str = getattr(count_tokens, "__qualname__", type(count_tokens).__qualname__)

    def tokens(self, text: str) -> int:
        """The size of a text.

        Raises:
            CtxContractsError: when the counter gives anything but an int of at least 0; else what it raises.
        """
        tokens: object = self._count(text)
        if type(tokens) is not int or tokens < 0:
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
        """
        # The same condition as the guard's, without its calls: this is the hot path.
        observed = text if type(text) is ObservedText else guard_text(text, call=call)
        try:
            origin, role = observed.origin, observed.role
        except AttributeError:
            raise explained(text_is_observed, call, text=text) from None
        raw = str(observed)
        tokens: object = self._count(raw)
        if type(tokens) is not int or tokens < 0:
            raise refusal.bad_count(self.name, tokens)
        return new_arrival((raw, digest_once(raw), origin, role, tokens, pinned, message))
