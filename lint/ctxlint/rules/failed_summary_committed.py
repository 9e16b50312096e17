r"""A text that says that there is no summary is kept as one.

## What it does

Reports a constant text that speaks of a failure and that takes the place of a summary, where this goes into something
that lasts.

## Why is this bad?

The originals are replaced by "Error: could not summarize". Everybody who reads the memory later, and every later
summary, is told that this is what was said.

## Example

```python
class Memory:
    def save(self, turns):
        try:
            summary = self.llm.invoke(f"Summarize: {turns}").content
        except TimeoutError:
            summary = "Summary unavailable"
        self.notes.append(summary)
```

## Use instead

```python
class Memory:
    def save(self, turns):
        summary = self.llm.invoke(f"Summarize: {turns}").content
        self.notes.append(summary)
```

## How it decides

A variable, or the result of a function, is either derived text or a constant text with a word of failure ("error",
"failed", "unavailable", "could not"), and it is put into a field, a collection or a store.

## Known limits

A test for that text on the way is not seen. Empty texts are left out: most programs test for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxlint.finding import Confidence, Finding, Severity
from ctxlint.ir.ops import CALL, CONST, EXIT, FORMAT, PHI
from ctxlint.taint import Solution
from ctxlint.taint.insight import Insight

CODE = "CTX006"
SLUG = "failed-summary-committed"
SEVERITY = Severity.WARNING
DEFAULT = False
_FAILURE = re.compile(
    r"\b(error|failed|failure|unavailable|not available|(could|can)( ?not|n't)|unable|timed? ?out|no summary)\b",
    re.IGNORECASE,
)
_LONG = 200
"""Who says that something failed says it shortly: what is longer is a prompt."""
_ADVICE = "Leave everything as it is when there is no summary: raise, or return None and keep the originals."


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such text."""
    insight = solution.insight
    if insight is None:
        return
    told: set[tuple[int, int]] = set()
    for seed, fact in insight.committed():
        if fact.path or insight.code(seed.function).ops[seed.value][0] != CALL:
            continue  # a part of something, or read out of a field that holds other texts, too
        op = insight.code(seed.function).ops[fact.value]
        places = [(seed.function, value) for value in op[1]] if op[0] in {PHI, EXIT} else []
        if op[0] == CALL and (seed.function, fact.value) not in insight.sites:
            for target in insight.engine.graph.targets(seed.function, fact.value):
                places.extend((target.function, value) for value in insight.code(target.function).returns)
        for place in places:
            if place not in told and _says_failure(insight, *place):
                told.add(place)
                yield Finding(
                    code=CODE,
                    slug=SLUG,
                    message="this text is kept as a summary where there is none",
                    place=insight.place(*place),
                    severity=SEVERITY,
                    confidence=Confidence.MEDIUM,
                    function=insight.code(place[0]).qualname,
                    advice=_ADVICE,
                )


def _says_failure(insight: Insight, function: int, value: int) -> bool:
    ops = insight.code(function).ops
    op = ops[value]
    pieces = [op] if op[0] == CONST else [ops[piece] for piece in op[1]] if op[0] == FORMAT else []
    texts = [piece[1] for piece in pieces if piece[0] == CONST and isinstance(piece[1], str)]
    return bool(texts) and sum(map(len, texts)) < _LONG and any(map(_FAILURE.search, texts))
