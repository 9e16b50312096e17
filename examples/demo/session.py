"""The session of the demo: an agent of 40 cycles with a window of 200,000 tokens, compacted above 70 %.

    python session.py STORE CYCLE ...    # runs these cycles on the buffer in STORE, one JSON line for each

Everything goes through the public API. The agent and its tools are stand-ins that write text of realistic size; the
summarizer is a small one without a model: it keeps the first sentence of each turn, tighter when asked again.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence

from ctxcontracts import (
    Budget,
    Compactor,
    ContextBuffer,
    ObservedSpan,
    Policy,
    assistant_text,
    summarizer,
    system_text,
    tool,
    user_text,
)

SESSION = "demo"
BUDGET = Budget(limit=200_000, trigger=0.7, target=0.23)
POLICY = Policy(keep_recent=10, keep_tool_outputs=6, segment_tokens=150_000)
SERVICES = ("billing", "search", "login", "mail", "reports")


@tool
def read_log(service: str, cycle: int) -> str:
    """Give the log of a service: long, and for the most part noise."""
    chance = random.Random(f"{service}{cycle}")  # noqa: S311 - a reproducible stand-in
    lines = [
        f"{cycle:02}:{chance.randrange(60):02}:{chance.randrange(60):02} {service} request {chance.randrange(10**9)}"
        for _ in range(900)
    ]
    return f"{service} answered with error {500 + cycle % 4} in cycle {cycle}. " + "\n".join(lines)


@summarizer
def first_sentences(spans: Sequence[ObservedSpan]) -> str:
    """Keep the first sentence of each turn, and of the log lines nothing."""
    width = 160 if len(spans) < 80 else 60
    return "\n".join(f"- {span.origin}: {span.text.partition('. ')[0][:width]}" for span in spans)


def run_cycle(buffer: ContextBuffer, cycle: int) -> dict[str, int]:
    """Run one cycle of the agent, then compact. Gives what the compaction did."""
    service = SERVICES[cycle % len(SERVICES)]
    buffer.observe(user_text(f"Look after {service} in cycle {cycle}. " + "Mind the other services too. " * 40))
    for offset in range(3):
        buffer.observe(read_log(SERVICES[(cycle + offset) % len(SERVICES)], cycle))
    turn = buffer.observe(
        assistant_text(f"In cycle {cycle} I restarted {service}. " + "The reasons are in its log. " * 120)
    )
    done = Compactor(buffer, BUDGET, policy=POLICY).compact(first_sentences)
    return {
        "cycle": cycle,
        "tokens": buffer.tokens,
        "pruned": sum(done.pruned.values()),
        "rewritten": done.rewritten,
        "summaries": len(done.derived),
        "rederived": len(done.rederived),
        "originals": int(turn.id.rpartition("o")[2]),
    }


def main() -> None:
    """Run the cycles that the command line names."""
    store, cycles = sys.argv[1], [int(word) for word in sys.argv[2:]]
    with ContextBuffer.open(store, SESSION) as buffer:
        if not len(buffer):
            buffer.observe(
                system_text("You look after five services. Never restart two of them at once."), pinned=True
            )
        for cycle in cycles:
            print(json.dumps(run_cycle(buffer, cycle)), flush=True)


if __name__ == "__main__":
    main()
