"""Which derived texts come back inside other texts: P13, re-entry.

    own = runs_of(summary, without=sources)      # the 5-word runs that the summarizer made up itself
    echoes.add("s:d1", own)
    echoes.heard("as we said, " + summary)       # <Echo s:d1, 41 runs, 84 %>

A run that stands in the sources is no sign of the summary, so an extract does not alarm on its own original. Flagged
is a text that shares 6 runs, or 3 that make up 15 % of it: measured on human meeting summaries, that finds every
verbatim copy and nearly all that were reordered or edited by a fifth, and nothing in unrelated text. It is a sign and
no proof: an honest reply may quote the summary.
"""

from __future__ import annotations

import string
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple, final

RUN = 5
"""Words. Shorter runs are in everybody's mouth, longer ones do not survive an edit."""

SURE_RUNS, FEW_RUNS, FEW_SHARE = 6, 3, 0.15
REMEMBERED = 500
"""How many derived texts are listened for, the latest; a window seldom holds more."""

_SPACES = str.maketrans(dict.fromkeys(string.punctuation, " "))


class Echo(NamedTuple):
    """A derived text that was heard in another.

    Attributes:
        derived_id: its id.
        runs: how many of its runs the other text holds.
        share: how much of the other text these are, from 0 to 1.
    """

    derived_id: str
    runs: int
    share: float

    def __str__(self) -> str:
        return f"{self.runs} runs of {RUN} words of {self.derived_id}, {self.share:.0%} of the text"


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = str.translate(str.lower(text), _SPACES).split()
    return zip(*(words[start:] for start in range(RUN)), strict=False)


def _number(run: tuple[str, ...]) -> int:
    return zlib.crc32(" ".join(run).encode("utf-8", "surrogatepass"))


def runs_of(text: str, *, without: Iterable[str]) -> bytes:
    """The runs of a derived text that stand in none of its sources, as 4 bytes each, in a fixed order."""
    own = set(_runs(text))
    for source in without:
        if not own:
            break
        own.difference_update(_runs(source))
    numbers = sorted({_number(run) for run in own})
    return struct.pack(f">{len(numbers)}I", *numbers)


@final
class Echoes:
    """The latest derived texts, and what can be heard of them. Threads may share it."""

    __slots__ = ("_heard_up_to", "_lock", "_made_by", "_of")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[str, bytes] = {}
        self._made_by: dict[int, str] = {}
        self._heard_up_to: set[str] = set()

    def add(self, derived_id: str, runs: bytes) -> None:
        """Listens for a derived text from now on, and no more for the oldest where there are too many."""
        with self._lock:
            self._of[derived_id] = runs
            if len(self._of) > REMEMBERED:
                self._forget(next(iter(self._of)))

    def discard(self, derived_id: str) -> None:
        """Listens for it no more: it was forgotten."""
        with self._lock:
            self._forget(derived_id)

    def kept(self) -> list[tuple[str, bytes]]:
        """The derived texts that are listened for, oldest first, each with what `add` was given."""
        with self._lock:
            return list(self._of.items())

    def heard(self, text: str) -> Echo | None:
        """The derived text of which most is in a text, if it is enough to be a sign."""
        made_by = self._index()
        if not made_by:
            return None
        runs = set(_runs(text))
        found = Counter(by for number in map(_number, runs) if (by := made_by.get(number)) is not None)
        if not found:
            return None
        ((derived_id, shared),) = found.most_common(1)
        echo = Echo(derived_id, shared, shared / len(runs))
        return echo if shared >= SURE_RUNS or (shared >= FEW_RUNS and echo.share >= FEW_SHARE) else None

    def _index(self) -> dict[int, str]:
        """Which number is whose, made when it is first asked for: a session that is only read never asks."""
        if len(self._heard_up_to) < len(self._of):
            with self._lock:
                for derived_id in self._of.keys() - self._heard_up_to:
                    self._made_by.update(dict.fromkeys(_numbers(self._of[derived_id]), derived_id))
                    self._heard_up_to.add(derived_id)
        return self._made_by

    def _forget(self, derived_id: str) -> None:
        runs = self._of.pop(derived_id, b"")
        if derived_id in self._heard_up_to:
            self._heard_up_to.remove(derived_id)
            for number in _numbers(runs):
                if self._made_by.get(number) == derived_id:
                    del self._made_by[number]


def _numbers(runs: bytes) -> tuple[int, ...]:
    return struct.unpack(f">{len(runs) // 4}I", runs[: len(runs) // 4 * 4])
