"""Summaries of one pass are merged by another summarizer.

## What it does

Reports a summarizer call whose input was written by another summarizer call of the same pass, as in map and reduce:
parts are summarized, and the summaries are merged once. The depth is bounded, so it is a warning.

## Why is this bad?

The merged text is two rewrites away from what was observed, and what the first pass dropped cannot come back.

## Example

```python
def digest(llm, chapters):
    parts = [llm.invoke(f"Summarize: {chapter}").content for chapter in chapters]
    return llm.invoke("Merge these summaries: " + " ".join(parts)).content
```

## Use instead

```python
def digest(llm, chapters):
    return [llm.invoke(f"Summarize: {chapter}").content for chapter in chapters]
```

## How it decides

As `resummarized-summary` does, for text that reaches the second call without coming back from an earlier round.

## Known limits

Parts that are kept in a field and merged by another method look like text from an earlier round, and are reported as
`resummarized-summary`.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Severity
from ctxlint.rules import wording
from ctxlint.taint import Solution

CODE = "CTX002"
SLUG = "summary-hierarchy"
SEVERITY = Severity.WARNING


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each site that only text of the same pass reaches."""
    for arrival in solution.arrivals:
        if not arrival.later:
            yield wording.finding(arrival, code=CODE, slug=SLUG, severity=SEVERITY)
