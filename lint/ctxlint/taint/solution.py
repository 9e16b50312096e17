"""What the engine found, told in places and words: the rules make findings of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from ctxlint.finding import Confidence, Place, Related, Step
from ctxlint.ir import ModuleIR

if TYPE_CHECKING:
    from ctxlint.taint.insight import Insight


class Carrying(Enum):
    """By what text of an earlier round comes back, or that it does not."""

    VARIABLE = "variable"  # a variable of a loop, or one that a nested function shares
    FIELD = "field"  # an attribute, a variable of a module
    STATE = "state"  # a key of a graph's state
    STORE = "store"  # what outlives the process: a file, a table, a memory service
    RECURSION = "recursion"  # an argument of a call that leads back to its own caller
    ONCE = "once"  # nothing: the text is merged in the same pass


@dataclass(frozen=True, slots=True)
class Marker:
    """What tells the derived text from originals: whatever "has is_summary=True", "is a SummaryNote"."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Originals:
    """What a site's text is made from. `kept` when it is still there after the call."""

    name: str
    kept: bool


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
    `hops` counts functions and carriers; a flow is not `sure` when a carrier on it is known by its name only.
    A `winding` one goes through several carriers in many files, a `straying` one to another summarizer far away.
    `over` is what the loop of a VARIABLE goes over.
    """

    source: SitePlace
    steps: tuple[Step, ...]
    carrier: str
    later: bool
    kept: Place | None
    read: Place | None
    kind: Carrying = Carrying.ONCE
    collection: bool = False
    marker: Marker | None = None
    hops: int = 0
    sure: bool = True
    winding: bool = False
    straying: bool = False
    over: str = ""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A site that derived text reaches: its flows, those of later rounds first, then the shortest.

    `extends` when its prompt asks the model to go on with an earlier summary.
    """

    site: SitePlace
    flows: tuple[Flow, ...]
    related: tuple[Related, ...] = ()
    originals: Originals | None = None
    extends: bool = False

    @property
    def later(self) -> bool:
        """Some text comes back in a later round."""
        return self.flows[0].later


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer for a set of files. `exhausted`: the step budget ended it early, findings may be missing.

    `modules` are the files themselves, for rules that need no whole program; `insight` is for those that need more
    of it than the arrivals, None where nothing was looked for.
    """

    sites: tuple[SitePlace, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    exhausted: bool = False
    steps: int = 0
    modules: tuple[ModuleIR, ...] = ()
    insight: Insight | None = None
