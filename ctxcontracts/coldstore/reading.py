"""A journal while it is read: closed to summarizers at every entry, whenever its iterator was made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self, final

from ctxcontracts.coldstore.journal import JournalEntry
from ctxcontracts.spans.running import refuse_while_summarizing

_READING = "journal() of a cold store"


@final
class Reading(Iterator[JournalEntry]):
    """The entries of a journal, for `ColdStore.journal` of every store to return.

    A class and no generator: an error ends a generator, and what was asked too early could not be read later.

    Args:
        entries: the entries.

    Raises:
        RewritePolicyError: when made while a summarizer runs, as `next` does.
    """

    __slots__ = ("_entries",)

    def __init__(self, entries: Iterator[JournalEntry]) -> None:
        refuse_while_summarizing(_READING)
        self._entries = entries

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> JournalEntry:
        refuse_while_summarizing(_READING)
        return next(self._entries)
