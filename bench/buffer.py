"""What one operation of a buffer costs at 100,000 spans, beside two structures that do less.

    python bench/buffer.py                      # contracts off, and contracts on in a second process
    python bench/buffer.py --spans 20000        # quicker

`slots` is a plain class with the same slots and guards, the same span types and the same summarizer, which also
hashes each text: the least that keeps the promises in one thread, for as long as the process lives. `list` is the
obvious list: delete by index, search by walking, the sum recomputed after each call.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import inspect
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.contracts import CONTRACTS_ON, is_a_summary
from ctxcontracts.spans import (
    AnySpan,
    DerivedId,
    DerivedSpan,
    DerivedStr,
    ObservedSpan,
    ObservedText,
    SourceId,
    estimate_tokens,
    summarizer,
    user_text,
)
from ctxcontracts.spans.mark import OPEN, mark
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.span import record_of_derived, record_of_observed, seal_derived_span, seal_observed_span
from ctxcontracts.spans.text import raw_derived

SHORT = "Restarted the billing service; its log is clean since then, watch it for an hour. "
SUMMARY = "Two services restarted."
OPERATIONS = ("observe", "prune", "rewrite(3)", "rederive", "render")


def texts(size: str, number: int) -> str:
    return f"{number} {SHORT}" if size == "short" else f"{number} {SHORT * 25}"


@dataclass(slots=True)
class Piece:
    """A span of the naive list."""

    id: str
    text: str
    digest: str
    tokens: int
    sources: tuple[str, ...] = ()


class Refused(Exception):  # noqa: N818 - a verdict
    """What the guards of the plain structures raise."""


class Subject(Protocol):
    """What is measured."""

    def observe(self, text: Any) -> Any: ...
    def prune(self, span: Any) -> None: ...
    def rewrite(self, spans: Sequence[Any]) -> Any: ...
    def rederive(self, span: Any) -> Any: ...
    def render(self) -> list[dict[str, Any]]: ...


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@summarizer
def summary(spans: Sequence[ObservedSpan]) -> str:  # noqa: ARG001
    return SUMMARY


@dataclass(slots=True)
class Slots:
    """Dictionaries of slots with plain guards, over the same spans and the same summarizer, hashing each text.

    It keeps the originals and a log of what happened in memory. It has no locks, claims, journal codec, store
    protocol or sessions, and nothing is checked twice.
    """

    slots: dict[int, AnySpan] = field(default_factory=dict)
    slot_of: dict[str, int] = field(default_factory=dict)
    archive: dict[str, ObservedRecord] = field(default_factory=dict)
    gone: dict[str, str | None] = field(default_factory=dict)
    log: list[tuple[str, object]] = field(default_factory=list)
    tokens: int = 0
    last: int = 0

    def observe(self, text: object) -> ObservedSpan:
        if not isinstance(text, ObservedText):
            raise Refused
        raw = str(text)
        tokens = estimate_tokens(raw)
        if tokens < 0:
            raise Refused
        self.last += 1
        name = SourceId(f"s:o{self.last}")
        record = ObservedRecord(name, raw, digest(raw), text.origin, text.role, tokens, False, ())
        if name in self.archive:
            raise Refused
        self.archive[name] = record
        self.log.append(("observed", record))
        span = seal_observed_span(record)
        self.slots[self.last] = span
        self.slot_of[name] = self.last
        self.tokens += tokens
        return span

    def prune(self, span: object) -> None:
        if not isinstance(span, (ObservedSpan, DerivedSpan)):
            raise Refused
        slot = self.slot_of.get(span.id)
        if slot is None:
            if span.id not in self.gone:
                raise Refused
            return
        if self.slots[slot] != span:
            raise Refused
        self.log.append(("pruned", (span.id,)))
        del self.slot_of[span.id]
        del self.slots[slot]
        self.gone[span.id] = None
        self.tokens -= span.tokens

    def rewrite(self, spans: Sequence[ObservedSpan]) -> DerivedSpan:
        for span in spans:
            if not isinstance(span, ObservedSpan) or span.pinned or span.id in self.gone:
                raise Refused
            if self.slots[self.slot_of[span.id]] != span:
                raise Refused
        if len({span.id for span in spans}) < len(spans):
            raise Refused
        return self._replace(spans, tuple(span.id for span in spans), spans)

    def rederive(self, span: DerivedSpan) -> DerivedSpan:
        if not isinstance(span, DerivedSpan) or span.id in self.gone or self.slots[self.slot_of[span.id]] != span:
            raise Refused
        originals = []
        for source in span.sources:
            record = self.archive[source]
            if digest(record.text) != record.digest:
                raise Refused
            originals.append(seal_observed_span(record))
        return self._replace([span], span.sources, originals)

    def _replace(
        self, spans: Sequence[AnySpan], sources: tuple[SourceId, ...], originals: Sequence[ObservedSpan]
    ) -> DerivedSpan:
        text = raw_derived(summary(originals))
        if not is_a_summary(text) or OPEN in text:
            raise Refused
        self.last += 1
        name = DerivedId(f"s:d{self.last}")
        tokens = estimate_tokens(f"{mark(name)} {text}")
        if tokens >= sum(span.tokens for span in originals):
            raise Refused
        record = DerivedRecord(name, text, digest(text), sources, tokens, summary.__name__)
        made = seal_derived_span(record)
        self.log.append(("replaced", record))
        slots = sorted(self.slot_of.pop(span.id) for span in spans)
        for slot in slots[1:]:
            del self.slots[slot]
        self.slots[slots[0]] = made
        self.slot_of[name] = slots[0]
        for span in spans:
            self.gone[span.id] = name
        self.tokens += tokens - sum(span.tokens for span in spans)
        return made

    def render(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for span in self.slots.values():
            if isinstance(span, DerivedSpan):
                out.append({"role": "user", "content": DerivedStr(f"{mark(span.id)} {record_of_derived(span).text}")})
            else:
                record = record_of_observed(span)
                out.append({"role": record.role.value, "content": record.text})
        return out


@dataclass(slots=True)
class NaiveList:
    """A list of spans: spans are found by walking and removed by index, the size is summed when it is asked for."""

    spans: list[Piece] = field(default_factory=list)
    archive: dict[str, str] = field(default_factory=dict)
    last: int = 0
    tokens: int = 0

    def observe(self, text: str) -> Piece:
        self.last += 1
        piece = Piece(f"s:o{self.last}", text, digest(text), estimate_tokens(text))
        self.spans.append(piece)
        self._count()
        return piece

    def prune(self, span: Piece) -> None:
        del self.spans[self._index(span)]
        self._count()

    def rewrite(self, spans: Sequence[Piece]) -> Piece:
        first = self._index(spans[0])
        for span in spans:
            if span.sources:
                raise Refused
            self.archive[span.id] = span.text
        self.last += 1
        sources = tuple(span.id for span in spans)
        made = Piece(f"s:d{self.last}", SUMMARY, digest(SUMMARY), estimate_tokens(SUMMARY), sources)
        self.spans[first] = made
        for span in spans[1:]:
            del self.spans[self._index(span)]
        self._count()
        return made

    def rederive(self, span: Piece) -> Piece:
        for source in span.sources:
            if source not in self.archive:
                raise Refused
        self.last += 1
        made = Piece(f"s:d{self.last}", SUMMARY, digest(SUMMARY), estimate_tokens(SUMMARY), span.sources)
        self.spans[self._index(span)] = made
        self._count()
        return made

    def _index(self, span: Piece) -> int:
        return next(index for index, piece in enumerate(self.spans) if piece.id == span.id)

    def _count(self) -> None:
        self.tokens = sum(piece.tokens for piece in self.spans)

    def render(self) -> list[dict[str, Any]]:
        return [{"role": "user", "content": piece.text} for piece in self.spans]


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
                rounds.setdefault(name, []).append(measured(make(), spans, size, 2000))
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
            contracts = "" if name == "render" else f"{added:.1f}"
            lines.append(
                f"| {name} | {naive:,.1f} | {slots:,.1f} | {ours:,.1f} | {ours / slots:.2f} | {naive / ours:,.0f} "
                f"| {contracts} |"
            )
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
