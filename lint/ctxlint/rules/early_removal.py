r"""What is summarized is removed before its summary is there.

## What it does

Reports a summarizer call in a method that has taken its input out of a field of its object before: by an assignment
of what is left, a deletion, or a call such as `pop()` and `clear()`.

## Why is this bad?

A model that fails, times out or refuses leaves neither the originals nor a summary of them.

## Example

```python
class Memory:
    def save(self, turn):
        self.turns.append(turn)
        old = self.turns[:8]
        self.turns = self.turns[8:]
        self.notes.append(self.llm.invoke(f"Summarize: {old}").content)
```

## Use instead

```python
class Memory:
    def save(self, turn):
        self.turns.append(turn)
        self.notes.append(self.llm.invoke(f"Summarize: {self.turns[:8]}").content)
        self.turns = self.turns[8:]
```

## How it decides

The call is a summarizer (as for `resummarized-summary`), its input is read from a field of the object before the
removal, and the field is not written once more behind the call, as a handler that puts it back would do.

## Known limits

Only what one method does with its own object is seen.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Related, Severity
from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, CALL, OUT, SET_ATTR
from ctxlint.taint import Solution
from ctxlint.taint.insight import Insight
from ctxlint.taint.operands import operands
from ctxlint.taint.removals import removals
from ctxlint.taint.selves import is_own

CODE = "CTX007"
SLUG = "early-removal"
SEVERITY = Severity.WARNING
DEFAULT = False
_MAX_VALUES = 300


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such call."""
    insight = solution.insight
    if insight is None:
        return
    for key in insight.sites:
        found = _removed(insight, *key)
        if found is not None:
            name, removal = found
            site = insight.teller.site(key)
            yield Finding(
                code=CODE,
                slug=SLUG,
                message=f"self.{name} has lost what is summarized here before the summary is there",
                place=site.place,
                severity=SEVERITY,
                confidence=site.confidence,
                function=site.function,
                carrier=f"self.{name}",
                advice=f"Take it out of self.{name} once the summary is there.",
                related=(Related(insight.place(key[0], removal), f"self.{name} is cut here"),),
            )


def _removed(insight: Insight, function: int, call: int) -> tuple[str, int] | None:
    """The field that the input of a call was taken out of, and where."""
    owner = insight.code(function)
    read = {
        str(owner.ops[value][2]): value
        for value in _read(owner, call)
        if owner.ops[value][0] == ATTR and is_own(owner, owner.ops[value][1])
    }
    for name, value in read.items():
        written = [at for at, op in enumerate(owner.ops) if op[0] == SET_ATTR and op[2] == name]
        before = [at for at in removals(owner, name) if value < at < call]
        if before and not any(at > call for at in written):
            return name, before[0]
    return None


def _read(owner: FunctionIR, call: int) -> Iterator[int]:
    """All values that go into the arguments of a call, also by way of a list that they were put in."""
    ops = owner.ops
    pending = [*ops[call][4], *(value for _, value in ops[call][5])]
    seen = {call}
    while pending and len(seen) < _MAX_VALUES:
        value = pending.pop(0)
        if value in seen:
            continue
        seen.add(value)
        yield value
        pending.extend(operands(ops[value]))
        if ops[value][0] == OUT and ops[value][3] == "self" and ops[ops[value][2]][0] == CALL:
            pending.extend(ops[ops[value][2]][4])
