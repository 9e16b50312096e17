"""How much of mypy's time the plugin takes, on a program of 20,000 lines that uses the library.

python bench/mypy_plugin.py            # exits with 1 above 5 %, with the library in all of it or in a part

The median of three runs counts.

The hooks are timed from outside, by a plugin that calls ours; what mypy does when a hook asks it for the type of an
argument is mypy's.
"""

from __future__ import annotations

import functools
import os
import sys
import tempfile
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from mypy import api
from mypy.options import Options

from ctxcontracts.mypy_plugin import CtxContractsPlugin, hooks

ROOT = Path(__file__).resolve().parents[1]
MOST_PERCENT = 5.0
LINES = 20_000
FILES = 40
RUNS = 3
SPENT = [0.0, 0.0, 0.0]  # seconds in hooks, calls of hooks, names that were asked for
_inside = [False]


def timed(hook: Callable[..., Any]) -> Callable[..., Any]:
    """The same hook, timed; what runs inside of another counts once."""

    @functools.wraps(hook)
    def call(*args: Any) -> Any:
        if _inside[0]:
            return hook(*args)
        _inside[0] = True
        start = time.process_time()
        try:
            return hook(*args)
        finally:
            _inside[0] = False
            SPENT[0] += time.process_time() - start
            SPENT[1] += 1

    return call


def untimed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, its time taken off."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args)
        finally:
            SPENT[0] -= time.process_time() - start

    return call


hooks._type_of = untimed(hooks._type_of)


class Timed(CtxContractsPlugin):
    def get_function_hook(self, fullname: str) -> Any:
        return asked(super().get_function_hook(fullname))

    def get_function_signature_hook(self, fullname: str) -> Any:
        return asked(super().get_function_signature_hook(fullname))

    def get_method_hook(self, fullname: str) -> Any:
        return asked(super().get_method_hook(fullname))


def asked(hook: Callable[..., Any] | None) -> Callable[..., Any] | None:
    SPENT[2] += 1
    return None if hook is None else timed(hook)


def seconds_for_names(names: float) -> float:
    """What it costs to be asked for so many names and to have no hook: too short to be timed one by one."""
    ours = CtxContractsPlugin(Options())
    return timeit.timeit(lambda: ours.get_method_hook("builtins.str.strip"), number=int(names))


def plugin(_version: str) -> type[CtxContractsPlugin]:
    return Timed


PIECE = '''

class Agent{n}:
    """One of many agents."""

    def __init__(self, buffer: ContextBuffer, style: str = "plain") -> None:
        self.buffer = buffer
        self.style = style
        self.seen: dict[str, int] = {{}}

    @summarizer
    def shrink(self, spans: Sequence[ObservedSpan], max_words: int = 50, title: str = "notes") -> str:
        words = [word for span in spans for word in span.text.split() if len(word) > {n} % 7]
        head = f"{{title}} in {{self.style}}"
        return head + " ".join(words[:max_words])

    def ask(self, question: str, *, urgent: bool = False) -> str:
        asked = self.buffer.observe(user_text(question.strip()))
        self.seen[asked.origin] = self.seen.get(asked.origin, 0) + asked.tokens
        answer = "yes" if urgent else titled{n}(question, str(len(self.buffer)))
        self.buffer.observe(assistant_text(answer))
        self.buffer.observe(read{n}(f"{{question}}.log", lines=len(question)))
        return answer

    def compact(self) -> DerivedSpan | None:
        turns = [span for span in self.buffer.spans if is_observed(span) and not span.pinned]
        if len(turns) < 4:
            return None
        summary = self.buffer.rewrite(turns[:-2], self.shrink, max_words=40, title=self.style.upper())
        print(expose(summary.text)[:80], summary.tokens)
        return self.buffer.rederive(summary, self.shrink, 30)


@tool
def read{n}(path: str, *, lines: int = 10) -> str:
    rows = [f"{{path}} {{row}}" for row in range(lines)]
    rows.sort(key=lambda row: (len(row), row))
    return "\\n".join(rows)


def titled{n}(text: str, title: str = "note") -> str:
    return f"{{title}}: {{text}}"
'''
HEAD = """import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from ctxcontracts import (
    ContextBuffer, DerivedSpan, ObservedSpan, assistant_text, expose, is_observed, summarizer, tool, user_text
)
"""


ORDINARY = r"""

class Ledger{n}:
    def __init__(self, owner: str, rates: Mapping[str, float] | None = None) -> None:
        self.owner = owner
        self.rates = dict(rates or {{}})
        self.rows: list[tuple[str, float]] = []

    def add(self, name: str, amount: float, *, currency: str = "EUR") -> float:
        converted = amount * self.rates.get(currency, 1.0)
        self.rows.append((name.strip().lower(), converted))
        return converted

    def totals(self) -> dict[str, float]:
        found: dict[str, float] = defaultdict(float)
        for name, amount in self.rows:
            found[name] += amount
        return {{name: round(total, 2) for name, total in sorted(found.items()) if total}}

    def report(self, width: int = {n}) -> str:
        lines = [f"{{name:<{{width}}}}{{total:>10.2f}}" for name, total in self.totals().items()]
        head = f"{{self.owner}}: {{len(self.rows)}} rows"
        return "\n".join([head, "-" * len(head), *lines])


def parsed{n}(text: str) -> Iterator[Ledger{n}]:
    for block in re.split(r"\n\n+", text):
        owner, _, rest = block.partition("\n")
        ledger = Ledger{n}(owner, {{"USD": 0.9}})
        for row in rest.splitlines():
            name, _, amount = row.rpartition(" ")
            if amount.isdecimal():
                ledger.add(name, float(amount), currency="USD" if "$" in row else "EUR")
        yield ledger
"""


def program(folder: Path, every: int) -> int:
    """Writes a program of which one piece in so many uses the library; gives its lines."""
    lines = n = 0
    texts = [HEAD] * FILES
    while lines < LINES:
        piece = (PIECE if n // FILES % every == 0 else ORDINARY).format(n=n)
        texts[n % FILES] += piece
        lines += piece.count("\n")
        n += 1
    for file, text in enumerate(texts):
        (folder / f"agents{file}.py").write_text(text)
    return lines


def share(every: int) -> float:
    """The plugin's share of the time, in percent."""
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        lines = program(Path(name), every)
        Path("mypy.ini").write_text(f"[mypy]\nstrict = true\nplugins = {Path(__file__).resolve()}\n")
        api.run(["-c", HEAD])  # the library itself is in the cache then
        measured = sys.modules["mypy_plugin"].SPENT  # of the module that mypy has loaded, which is not this one
        measured[:] = [0.0, 0.0, 0.0]
        start = time.process_time()
        out, err, code = api.run(sorted(path.name for path in Path().glob("agents*.py")))
        whole = time.process_time() - start
        os.chdir(ROOT)
    if code:
        raise SystemExit(f"{out}{err}")
    spent, calls, asked_for = measured
    spent += seconds_for_names(asked_for)
    percent = 100 * spent / whole
    told = "all" if every == 1 else f"one piece in {every}"
    print(
        f"{lines} lines, {told} with the library: {calls:.0f} hooks, {spent:.2f} s of {whole:.2f} s, {percent:.1f} %"
    )
    return percent


def main() -> int:
    shares = [median(share(every) for _ in range(RUNS)) for every in (1, 4)]
    return int(max(shares) > MOST_PERCENT)


if __name__ == "__main__":
    sys.exit(main())
