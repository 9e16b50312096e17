"""What a compaction did."""

from __future__ import annotations

from dataclasses import dataclass, field

from ctxcontracts.compaction.plan import Stage
from ctxcontracts.spans import DerivedId


@dataclass(slots=True)
class CompactionReport:
    """The account of one compaction. Sizes are tokens by the counter of the buffer.

    Attributes:
        before: size of the window when it began.
        after: size when it ended.
        target: the size that it worked towards.
        pruned: spans pruned, by stage.
        rewritten: originals that summaries have taken the place of.
        derived: the summaries made of observed segments.
        rederived: the summaries made anew from the originals of earlier ones.
        skipped: why an action was passed over: the message of the error, which holds no span text.
    """

    before: int
    target: int
    after: int = 0
    pruned: dict[Stage, int] = field(default_factory=dict[Stage, int])
    rewritten: int = 0
    derived: list[DerivedId] = field(default_factory=list[DerivedId])
    rederived: list[DerivedId] = field(default_factory=list[DerivedId])
    skipped: list[str] = field(default_factory=list[str])

    @property
    def reached(self) -> bool:
        """Whether the window is at or below the target now."""
        return self.after <= self.target

    def __str__(self) -> str:
        """One line for a log."""
        pruned = sum(self.pruned.values())
        return (
            f"{self.before} -> {self.after} tokens: {pruned} pruned, {self.rewritten} rewritten into "
            f"{len(self.derived)}, {len(self.rederived)} re-derived, {len(self.skipped)} skipped"
        )
