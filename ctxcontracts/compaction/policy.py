"""What compaction may touch, and how much of it at a time."""

from __future__ import annotations

from dataclasses import dataclass

from ctxcontracts.errors import CompactionError


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The choices of a compaction. Pinned spans are never touched, whatever stands here.

    Attributes:
        keep_recent: the newest spans that are left alone, whatever they are.
        keep_tool_outputs: the newest tool outputs that a prune leaves (they may still be summarized).
        segment_tokens: most tokens of originals that one summary is made from: what fits the summarizer's own
            window beside its prompt. Longer stretches are summarized in segments, side by side.
        segment_spans: most originals that one summary is made from.
        leave_out_informed: whether agent turns that were written after reading a summary are kept out of summaries;
            they are then pruned before derived spans are.
    """

    keep_recent: int = 8
    keep_tool_outputs: int = 4
    segment_tokens: int = 24_000
    segment_spans: int = 64
    leave_out_informed: bool = False

    def __post_init__(self) -> None:
        """Checks the numbers.

        Raises:
            CompactionError: when a number is outside its range.
        """
        given: list[object] = [self.keep_recent, self.keep_tool_outputs, self.segment_tokens, self.segment_spans]
        numbers = all(isinstance(number, int) for number in given)
        counts, sizes = (self.keep_recent, self.keep_tool_outputs), (self.segment_tokens, self.segment_spans)
        if not numbers or min(counts) < 0 or min(sizes) < 1:
            raise CompactionError(
                f"{self!r} cannot be followed",
                instead="give keep_recent and keep_tool_outputs >= 0, segment_tokens and segment_spans >= 1",
            )
