"""What the engine found, told in places and words: the rules make findings of it."""

from __future__ import annotations

from dataclasses import dataclass

from ctxlint.finding import Confidence, Place, Related, Step


@dataclass(frozen=True, slots=True)
class SitePlace:
    """A summarizer site: where it is, the function around it, and what shows that it summarizes."""

    place: Place
    function: str
    why: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Flow:
    """One way of derived text into a site. `later` when it comes back in a later round, else it is one pass.

    `kept` and `read` are where the carrier takes the text and gives it back; None for a text that is only passed on.
    """

    source: SitePlace
    steps: tuple[Step, ...]
    carrier: str
    later: bool
    kept: Place | None
    read: Place | None


@dataclass(frozen=True, slots=True)
class Arrival:
    """A site that derived text reaches: its flows, those of later rounds first, then the shortest."""

    site: SitePlace
    flows: tuple[Flow, ...]
    related: tuple[Related, ...] = ()

    @property
    def later(self) -> bool:
        """Some text comes back in a later round."""
        return self.flows[0].later


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer for a set of files. `exhausted`: the step budget ended it early, findings may be missing."""

    sites: tuple[SitePlace, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    exhausted: bool = False
    steps: int = 0
