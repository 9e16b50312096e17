r"""Originals are replaced by their summary, and kept nowhere.

## What it does

Reports a summarizer call that reads a collection of its object, where the same method cuts, clears or replaces that
collection, and nothing else puts away what is added to it.

## Why is this bad?

What the summary left out is gone, and what it made up cannot be told from the rest. No later summary can be made from
what was said.

## Example

```python
class Chat:
    def add(self, turn):
        self.turns.append(turn)

    def compact(self):
        self.notes.append(self.llm.invoke(f"Summarize: {self.turns}").content)
        self.turns.clear()
```

## Use instead

```python
class Chat:
    def add(self, turn):
        self.turns.append(turn)
        self.archive.append(turn)

    def compact(self):
        self.notes.append(self.llm.invoke(f"Summarize: {self.turns}").content)
        self.turns.clear()
```

## How it decides

The call is a summarizer (as for `resummarized-summary`) or calls the method around one. Its input is a field of the
object that some method of the file appends to. The originals count as kept where one of these methods gives the same
value to another call that is named for writing.

## Known limits

A transcript that somebody else writes is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Related, Severity
from ctxlint.taint import Solution
from ctxlint.taint.originals import originals_of
from ctxlint.taint.removals import kept_elsewhere, removals

CODE = "CTX004"
SLUG = "discarded-originals"
SEVERITY = Severity.WARNING
DEFAULT = False


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such call."""
    insight = solution.insight
    if insight is None:
        return
    told: set[tuple[int, int]] = set()
    for key in insight.sites:
        site = insight.teller.site(key)
        for function, call in (key, *insight.engine.graph.callers(key[0])):
            originals = originals_of(insight.engine, (function, call), "")
            name = originals.name.rpartition(".")[2] if originals is not None else ""
            cut = next(removals(insight.code(function), name), None) if name else None
            if cut is None or (function, cut) in told or kept_elsewhere(insight.engine, function, name):
                continue
            told.add((function, cut))
            yield Finding(
                code=CODE,
                slug=SLUG,
                message=f"self.{name} is cut once it is summarized, and what it held is kept nowhere",
                place=insight.place(function, call),
                severity=SEVERITY,
                confidence=site.confidence,
                function=insight.code(function).qualname,
                carrier=f"self.{name}",
                advice=f"Put what is added to self.{name} away as it comes, and summarize from there.",
                related=(Related(insight.place(function, cut), f"self.{name} is cut here"),),
            )
