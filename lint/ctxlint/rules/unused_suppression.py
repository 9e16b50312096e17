r"""A suppression suppresses nothing.

## What it does

Reports a comment `# ctxlint: ignore[...]` that no finding stands under.

## Why is this bad?

The code that it was written for has changed, or a name in it is misspelt. It would hide the next finding in its
place.

## Example

```python
def fold(llm, lines):
    # ctxlint: ignore[CTX001] the originals are read again
    return len(lines)
```

## Use instead

```python
def fold(llm, lines):
    return len(lines)
```

## How it decides

A suppression counts as used when a finding of a rule that it names stands in its lines, also one that
`--min-confidence` leaves out, and also where it does not count because it gives no reason. One that names a rule that
does not run this time is left alone, and all are where the search for paths was cut short.

## Known limits

A comment in a file that could not be analysed is not seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from ctxlint.finding import Confidence, Finding, Left, Severity
from ctxlint.taint import Solution
from ctxlint.unreadable import UNREADABLE_CODE, UNREADABLE_SLUG

CODE = "CTX900"
SLUG = "unused-suppression"
SEVERITY = Severity.WARNING


def find(solution: Solution) -> Iterator[Finding]:  # noqa: ARG001 - what a rule looks like
    """Nothing: which suppressions are used shows when all findings are there. See `unused`."""
    return iter(())


def unused(left: Iterable[Left], ran: Collection[str], slugs: dict[str, str]) -> Iterator[Finding]:
    """A finding for each suppression that took nothing back.

    Args:
        left: the suppressions that no finding stands under.
        ran: the codes of the rules of this run.
        slugs: the code of each rule that exists, by its slug.
    """
    known = {**slugs, UNREADABLE_SLUG: UNREADABLE_CODE}
    running = {*ran, UNREADABLE_CODE}
    for suppression in left:
        codes = [known.get(name, name) for name in suppression.codes]
        foreign = [name for name, code in zip(suppression.codes, codes, strict=True) if code not in known.values()]
        if foreign:
            said = f"{', '.join(foreign)} is no rule, so that this suppresses nothing"
        elif running.issuperset(codes):
            said = f"no finding of {', '.join(suppression.codes) or 'any rule'} stands here any more"
        else:
            continue
        yield Finding(
            code=CODE,
            slug=SLUG,
            message=said,
            place=suppression.place,
            severity=SEVERITY,
            confidence=Confidence.HIGH,
            advice="Remove the comment.",
        )
