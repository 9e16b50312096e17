r"""A prompt tells the model to extend or update an earlier summary.

## What it does

Reports a summarizer whose prompt speaks of a summary that is already there ("extend the existing summary", "the
summary so far"), where no whole path of derived text into it was found.

## Why is this bad?

Somebody hands this call its own earlier words: from a place that ctxlint could not follow, such as a caller in
another program or a store. Each round then rewrites a rewriting.

## Example

```python
def fold(llm, state, lines):
    return llm.invoke(f"Extend the existing summary with the new lines. {state.earlier} {lines}").content
```

## Use instead

```python
def fold(llm, lines):
    return llm.invoke(f"Summarize these lines: {lines}").content
```

## How it decides

The call is a summarizer (as for `resummarized-summary`), a constant text in its input speaks of an earlier summary,
and neither `resummarized-summary` nor `summary-hierarchy` reports the call.

## Known limits

A text that only forbids it ("do not repeat the previous summary") counts as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Severity
from ctxlint.taint import Solution
from ctxlint.taint.originals import extends

CODE = "CTX005"
SLUG = "extends-summary-prompt"
SEVERITY = Severity.INFO
DEFAULT = False
_ADVICE = "Ask for a summary of the new text alone, and put it beside the earlier ones."


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such site that no other rule speaks of."""
    insight = solution.insight
    if insight is None:
        return
    told = {arrival.site.place for arrival in solution.arrivals}
    for key in insight.sites:
        site = insight.teller.site(key)
        if site.place not in told and extends(insight.engine, key):
            yield Finding(
                code=CODE,
                slug=SLUG,
                message="the prompt asks to go on with a summary that is already there",
                place=site.place,
                severity=SEVERITY,
                confidence=site.confidence,
                function=site.function,
                advice=_ADVICE,
            )
