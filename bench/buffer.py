"""What one operation of a buffer costs at 100,000 spans, beside two structures that do less (`plain_structures.py`).

python bench/buffer.py                      # contracts off, and contracts on in a second process
python bench/buffer.py --spans 20000        # quicker
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from plain_structures import NaiveList, Piece, Slots, digest, summary

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.contracts import CONTRACTS_ON
from ctxcontracts.spans import AnySpan, DerivedSpan, ObservedSpan, estimate_tokens, user_text

SHORT = "Restarted the billing service; its log is clean since then, watch it for an hour. "
OPERATIONS = ("observe", "prune", "rewrite(3)", "rederive", "render")


def texts(size: str, number: int) -> str:
    return f"{number} {SHORT}" if size == "short" else f"{number} {SHORT * 25}"


class Subject(Protocol):
    """What is measured."""

    def observe(self, text: Any) -> Any: ...
    def prune(self, span: Any) -> None: ...
    def rewrite(self, spans: Sequence[Any]) -> Any: ...
    def rederive(self, span: Any) -> Any: ...
    def render(self) -> list[dict[str, Any]]: ...


class Ours:
    """A `ContextBuffer` on a memory store.

    Args:
        bare: whether its methods are called without their contracts, where those are on.
    """

    def __init__(self, *, bare: bool = False) -> None:
        self.buffer = ContextBuffer(session="s")
        plain = inspect.unwrap if bare else (lambda method: method)
        self._observe = plain(ContextBuffer.observe)
        self._prune = plain(ContextBuffer.prune)
        self._rewrite = plain(ContextBuffer.rewrite)
        self._rederive = plain(ContextBuffer.rederive)

    def observe(self, text: Any) -> ObservedSpan:
        return self._observe(self.buffer, text)

    def prune(self, span: AnySpan) -> None:
        self._prune(self.buffer, span)

    def rewrite(self, spans: Sequence[ObservedSpan]) -> DerivedSpan:
        return self._rewrite(self.buffer, spans, summary)

    def rederive(self, span: DerivedSpan) -> DerivedSpan:
        return self._rederive(self.buffer, span, summary)

    def render(self) -> list[dict[str, Any]]:
        return self.buffer.render()


def microseconds(calls: Iterator[Callable[[], Any]]) -> float:
    """The mean cost of a call in the fastest tenth of batches of 50: other programs on the machine only ever add."""
    batches = []
    batch = list(calls)
    for start in range(0, len(batch), 50):
        part = batch[start : start + 50]
        begun = time.perf_counter()
        for call in part:
            call()
        batches.append((time.perf_counter() - begun) / len(part) * 1e6)
    return sorted(batches)[len(batches) // 10]


def measured(subject: Subject, spans: int, size: str, calls: int) -> dict[str, float]:
    """Microseconds a call for each operation, at about `spans` live spans."""
    live = [subject.observe(user_text(texts(size, number))) for number in range(spans)]
    arriving = [user_text(texts(size, spans + number)) for number in range(calls)]
    order = random.Random(7).sample(range(len(live) // 4), calls * 2)
    pruned = [live[index * 4] for index in order[:calls]]
    rewritten = [live[index * 4 + 1 : index * 4 + 4] for index in order[calls:]]
    summaries: list[Any] = []
    gc.collect()
    gc.freeze()
    gc.disable()
    took = {
        "observe": microseconds((lambda text=text: subject.observe(text)) for text in arriving),
        "prune": microseconds((lambda span=span: subject.prune(span)) for span in pruned),
        "rewrite(3)": microseconds((lambda part=part: summaries.append(subject.rewrite(part))) for part in rewritten),
        "rederive": microseconds((lambda span=span: subject.rederive(span)) for span in summaries),
        "render": min(microseconds(iter([subject.render])) for _ in range(5)),
    }
    gc.enable()
    gc.unfreeze()
    return took


def run(spans: int) -> dict[str, dict[str, dict[str, float]]]:
    """All figures of this process: by size of text, then by structure, then by operation."""
    out: dict[str, dict[str, dict[str, float]]] = {}
    for size in ("short", "2 KB"):
        makers: list[tuple[str, Callable[[], Subject]]] = [("slots", Slots), ("ours", Ours)]
        if CONTRACTS_ON:
            makers = [("guards", lambda: Ours(bare=True)), ("contracts", Ours)]
        rounds: dict[str, list[dict[str, float]]] = {}
        for _ in range(3):  # interleaved, so that a busy minute hits both
            for name, make in makers:
                rounds.setdefault(name, []).append(measured(make(), spans, size, min(2000, spans // 10)))
        if not CONTRACTS_ON:
            rounds["list"] = [measured_list(filled_list(spans, size), spans, size, 50)]
        out[size] = {
            name: {key: min(figures[key] for figures in taken) for key in OPERATIONS}
            for name, taken in rounds.items()
        }
    return out


def filled_list(spans: int, size: str) -> NaiveList:
    """The list, filled without its sums: with them that alone would take minutes."""
    naive = NaiveList()
    for number in range(spans):
        text = texts(size, number)
        naive.last += 1
        naive.spans.append(Piece(f"s:o{naive.last}", text, digest(text), estimate_tokens(text)))
    return naive


def measured_list(naive: NaiveList, spans: int, size: str, calls: int) -> dict[str, float]:
    order = random.Random(7).sample(range(spans // 4), calls * 2)
    live = list(naive.spans)
    summaries: list[Any] = []
    rewritten = [live[index * 4 + 1 : index * 4 + 4] for index in order[calls:]]
    return {
        "observe": microseconds((lambda n=n: naive.observe(texts(size, spans + n))) for n in range(calls)),
        "prune": microseconds((lambda index=index: naive.prune(live[index * 4])) for index in order[:calls]),
        "rewrite(3)": microseconds((lambda part=part: summaries.append(naive.rewrite(part))) for part in rewritten),
        "rederive": microseconds((lambda span=span: naive.rederive(span)) for span in summaries),
        "render": min(microseconds(iter([naive.render])) for _ in range(3)),
    }


def table(off: dict[str, Any], on: dict[str, Any]) -> str:
    lines = []
    for size in off:
        lines += [
            f"| {size} texts, us a call | list | slots | ours | ours / slots | list / ours | contracts add |",
            "|---|---|---|---|---|---|---|",
        ]
        for name in OPERATIONS:
            naive, slots, ours = (off[size][who][name] for who in ("list", "slots", "ours"))
            added = on[size]["contracts"][name] - on[size]["guards"][name]
            # A rendering visits every span whatever the structure, and carries no contract.
            faster, contracts = ("", "") if name == "render" else (f"{naive / ours:,.0f}", f"{added:.1f}")
            figures = f"{naive:,.1f} | {slots:,.1f} | {ours:,.1f} | {ours / slots:.2f} | {faster} | {contracts}"
            lines.append(f"| {name} | {figures} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--spans", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="figures of this process only, as JSON")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(run(options.spans)))
        return
    figures = []
    for switch in ("off", "on"):
        done = subprocess.run(
            [sys.executable, __file__, "--json", "--spans", str(options.spans)],
            env={**os.environ, "CTXCONTRACTS_CONTRACTS": switch},
            stdout=subprocess.PIPE,
            check=True,
        )
        figures.append(json.loads(done.stdout))
    print(f"{options.spans:,} live spans, Python {sys.version.split()[0]}\n")
    print(table(*figures))


if __name__ == "__main__":
    main()
