r"""A summary is put among the messages as if somebody had said it.

## What it does

Reports a message with the role of a user or an assistant whose content is derived text, where neither the text nor
another field says so.

## Why is this bad?

Nobody can tell it from what was observed: not the model, which takes it for words of the user, and not the next
compaction, which summarizes it as an original.

## Example

```python
class Chat:
    def compact(self):
        summary = self.llm.invoke(f"Summarize: {self.messages}").content
        self.notes.append({"role": "user", "content": summary})
```

## Use instead

```python
class Chat:
    def compact(self):
        summary = self.llm.invoke(f"Summarize: {self.messages}").content
        self.notes.append({"role": "user", "content": summary, "is_summary": True})
```

## How it decides

The message is displayed (`{"role": ..., "content": ...}`) or constructed (`HumanMessage(content=...)`), it is put in
something that lasts, and its text comes from a summarizer call of the same function. A constant text in front that
speaks of a summary marks it, and so does any further field.

## Known limits

Text that another function returns is left out: a mark may have been put in front of it there.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Severity
from ctxlint.ir.ops import BUILD, CALL, CONST
from ctxlint.taint import Solution
from ctxlint.taint.facts import Fact
from ctxlint.taint.insight import Insight
from ctxlint.taint.names import words_of
from ctxlint.taint.operands import operands
from ctxlint.taint.regions import Seed

CODE = "CTX003"
SLUG = "unmarked-summary"
SEVERITY = Severity.WARNING
DEFAULT = False
_OBSERVED = frozenset({"user", "assistant", "human", "ai"})
_PLAIN = frozenset({"role", "content", "text", "type", "id", "timestamp", "created_at"})
_TEXT = frozenset({"content", "text"})
_ADVICE = "Give the message a field that says that it is a summary, or say so in front of its text."


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such message."""
    insight = solution.insight
    if insight is None:
        return
    told: set[tuple[int, int]] = set()
    for seed, fact in insight.committed():
        where = (seed.function, fact.value)
        if where[0] >= 0 and seed[:2] in insight.sites and where not in told and _is_unmarked(insight, seed, fact):
            told.add(where)
            yield Finding(
                code=CODE,
                slug=SLUG,
                message="a summary becomes a message that nothing tells from what was said",
                place=insight.place(*where),
                severity=SEVERITY,
                confidence=insight.teller.site(seed[:2]).confidence,
                function=insight.code(seed.function).qualname,
                advice=_ADVICE,
            )


def _is_unmarked(insight: Insight, seed: Seed, fact: Fact) -> bool:
    """The fact says that the summary is the content of a message, and nothing shows that it is one."""
    message = _message(insight, seed.function, fact)
    if message < 0 or _is_made(insight, seed, message):
        return False
    known = {word for text in insight.given_text(seed.function, message) for word in words_of(text)}
    around = insight.engine.graph.models.words.around
    return not known & around and not any("compact" in word or "earlier" in word for word in known)


def _is_made(insight: Insight, seed: Seed, message: int) -> bool:
    """Another function had the text in hand, and may have put a mark in front of it."""
    ops = insight.code(seed.function).ops
    pending, seen = [message], {message}
    while pending:
        value = pending.pop()
        op = ops[value]
        if (
            op[0] == CALL
            and value != seed.value
            and (op[2] < 0 or insight.engine.graph.targets(seed.function, value))
        ):
            return True
        fresh = [] if value == seed.value else [piece for piece in operands(op) if piece not in seen]
        seen.update(fresh)
        pending.extend(fresh)
    return False


def _message(insight: Insight, function: int, fact: Fact) -> int:
    """The content of the message that a value is, if it has an observed role and no other field; else -1."""
    ops = insight.code(function).ops
    op = ops[fact.value]
    if op[0] == BUILD and len(op) == 2:
        fields = dict(op[1])
        role = ops[fields["role"]] if "role" in fields else (CONST, "")
        observed = role[0] == CONST and role[1] in _OBSERVED
    elif op[0] == CALL:
        name = words_of(insight.engine.graph.name(function, fact.value))
        fields = {**dict(op[5]), **({"content": op[4][0]} if op[4] else {})}
        observed = "message" in name and bool(name & _OBSERVED)
    else:
        return -1
    if not observed or not fields.keys() <= _PLAIN or not fact.path or fact.path[0] not in _TEXT:
        return -1
    return int(fields.get(fact.path[0], -1))
