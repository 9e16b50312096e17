"""`--statistics`: the sizes and times of a run, for people."""

from __future__ import annotations

from ctxlint.outcome import Outcome


def statistics(outcome: Outcome) -> str:
    """A small table, ending with a newline."""
    measures = outcome.measures
    rows = [
        ("files", f"{measures.files:,}"),
        ("of them cached", f"{measures.cached:,}"),
        ("lines", f"{measures.lines:,}"),
        ("summarizer sites", f"{measures.sites:,}"),
        ("findings", f"{len(outcome.findings):,}"),
        *((f"  {code}", f"{count:,}") for code, count in outcome.by_code.items()),
        ("suppressed", f"{len(outcome.suppressed):,}"),
        ("seconds", f"{sum(measures.seconds.values()):.2f}"),
        *((f"  {stage}", f"{seconds:.2f}") for stage, seconds in measures.seconds.items()),
    ]
    return "".join(f"{name:<18}{value:>12}\n" for name, value in rows)
