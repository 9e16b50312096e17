"""How full the window may get: the numbers behind "compact when above 70 %"."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcontracts.errors import CompactionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The size of the window and the two marks on it, by the token counter of the buffer.

    Attributes:
        limit: tokens that the model's window holds for the context, at least 1.
        trigger: share of the limit above which compaction starts, in (0, 1].
        target: share of the limit at which compaction stops, in (0, trigger).
    """

    limit: int
    trigger: float = 0.7
    target: float = 0.5

    def __post_init__(self) -> None:
        """Checks the numbers.

        Raises:
            CompactionError: when a number is outside its range.
        """
        given: list[object] = [self.limit, self.trigger, self.target]
        numbers = all(isinstance(number, (int, float)) for number in given)
        if not numbers or self.limit < 1 or not 0 < self.target < self.trigger <= 1:
            raise CompactionError(
                f"Budget(limit={self.limit}, trigger={self.trigger}, target={self.target}) cannot be followed",
                instead="give limit >= 1 and 0 < target < trigger <= 1; compaction runs from trigger down to target",
            )

    @property
    def trigger_tokens(self) -> int:
        """Compaction starts above this many tokens."""
        return int(self.limit * self.trigger)

    @property
    def target_tokens(self) -> int:
        """Compaction stops at this many tokens or fewer."""
        return int(self.limit * self.target)
