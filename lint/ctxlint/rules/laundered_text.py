"""Derived text of ctxcontracts goes through a door, or into a summarizer.

## What it does

Reports, in code that uses ctxcontracts, derived text that becomes observed or that a summarizer reads: exposed,
rendered or summarized text that is given to a door (`user_text`, `assistant_text`, `external_text`, ...), returned by
a `@tool`, passed as an option of a summarizer, or read in the body of one.

## Why is this bad?

The types show it only while the text has a type of its own. Behind an f-string, a helper from `str` to `str` or an
option it is a plain `str`, and the next summary summarizes a summary. At run time a guard refuses most of these, in
the middle of a session.

## Example

```python
from ctxcontracts import expose, user_text


def note(buffer, summary):
    title = f"So far: {expose(summary.text)}"
    buffer.observe(user_text(title))
```

## Use instead

```python
from ctxcontracts import ContextBuffer, DerivedSpan, Summarizer


def note(buffer: ContextBuffer, summary: DerivedSpan, shrink: Summarizer[...]) -> DerivedSpan:
    return buffer.rederive(summary, shrink)
```

## How it decides

Text comes from `expose`, from `render()` of a buffer, from `rewrite` and `rederive`, from functions under `@derives`,
and from parameters that are annotated as derived. It is followed through variables, fields of `self`, displays,
operators, methods of `str` and functions of the same file: what they return, and what they hand to a door. What a
function outside of the file returns is somebody else's text: the answer of a model to a rendered buffer is an
original turn of the agent.

## Known limits

A span that another file hands over is known by its type only: a type checker sees that, and this rule does not. A
buffer that is neither made here nor annotated counts as one when it is called so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ctxlint.finding import Confidence, Finding, Place, Severity, Step, StepRole
from ctxlint.ir import ModuleIR, Span
from ctxlint.ir import ops as op
from ctxlint.rules.derived_values import DerivedValues, Source
from ctxlint.rules.own_names import DOORS, EDITS, SUMMARIZERS, TOOLS, OwnNames
from ctxlint.taint import Solution

_HOPS = 3
"""How many functions lie at most between a text and its door."""
CODE = "CTX101"
SLUG = "laundered-text"
SEVERITY = Severity.ERROR
_ADVICE = "Keep the derived span in the buffer, or make a new one from its originals with buffer.rederive(span, by)."


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each call, result or body that derived text reaches."""
    told = {arrival.site.place for arrival in solution.arrivals}  # by another rule: one report for one call
    for module in solution.modules:
        if not module.calls.keys().isdisjoint(_SPEAKING) or _decorated(module):
            names = OwnNames(module)
            if names.any:
                yield from (found for found in _Reading(module, names).findings() if found.place not in told)


_SPEAKING = DOORS | EDITS | SUMMARIZERS | {"from_messages", "observe", "observe_all"}


def _decorated(module: ModuleIR) -> bool:
    return any(
        name.rpartition(".")[2] in SUMMARIZERS | TOOLS for code in module.functions for name in code.decorators
    )


class _LetIn(NamedTuple):
    """What is told of derived text that a function is given, and its source."""

    told: str
    source: Source


class _Reading:
    """One file."""

    def __init__(self, module: ModuleIR, names: OwnNames) -> None:
        self._module = module
        self._names = names
        self._values = DerivedValues(names)

    def findings(self) -> Iterator[Finding]:
        """All of it, function by function."""
        for function, code in enumerate(self._module.functions):
            for value, item in enumerate(code.ops):
                if item[0] == op.CALL:
                    yield from self._call(function, value)
            if self._names.under(function, SUMMARIZERS):
                yield from self._body(function)
            if self._names.under(function, TOOLS):
                yield from self._result(function)

    def _call(self, function: int, value: int) -> Iterator[Finding]:
        code = self._module.functions[function]
        if self._names.called(function, value) in SUMMARIZERS:
            for inner in filter(None, (self._names.function_of(function, arg) for arg in code.ops[value][4])):
                yield from self._body(inner)
            return
        told, handed = self._looked_at(function, value)
        for arg in handed:
            source = self._values.source(function, arg)
            if source is not None:
                yield self._finding(function, code.spans[value], source, told)
                return
        called = self._plain_function(function, value)
        if called is not None:
            given = self._given(called, function, value, {})
            lets_in = self._lets_in(called, given, _HOPS) if given else None
            if lets_in is not None:
                told = f"is given to {self._module.functions[called].name}(), where it {lets_in.told}"
                yield self._finding(function, code.spans[value], lets_in.source, told)

    def _plain_function(self, function: int, value: int) -> int | None:
        """The function of this file that a call calls, a method of its own object too."""
        _, callee, receiver, method, *_ = self._module.functions[function].ops[value]
        if callee != -1:
            inner = self._names.function_of(function, callee)
        else:
            is_own = self._names.is_self(function, receiver)
            inner = self._names.own_method(function, method) if is_own else None
        is_ours = inner is not None and self._names.under(inner, SUMMARIZERS | TOOLS | {"derives"})
        return None if is_ours else inner

    def _given(self, inner: int, function: int, value: int, given: dict[int, Source]) -> dict[int, Source]:
        _, callee, receiver, _, args, keywords = self._module.functions[function].ops[value]
        args = [*args] if callee != -1 else [receiver, *args]
        return self._values.sources_given(inner, function, args, dict(keywords), given)

    def _lets_in(self, function: int, given: dict[int, Source], hops: int) -> _LetIn | None:
        """What a function does to derived text that it is given, where it hands it to a door or a summarizer."""
        calls: list[tuple[int, int]] = []
        for value, item in enumerate(self._module.functions[function].ops):
            if item[0] != op.CALL:
                continue
            told, handed = self._looked_at(function, value)
            sources = (self._values.source(function, arg, given) for arg in handed)
            source = next((source for source in sources if source is not None and source in given.values()), None)
            if source is not None:
                return _LetIn(told, source)
            called = self._plain_function(function, value)
            if called is not None and called != function:
                calls.append((called, value))
        for called, value in calls if hops else ():
            handed_on = self._given(called, function, value, given)
            found = self._lets_in(called, handed_on, hops - 1) if handed_on else None
            if found is not None and found.source in given.values():
                return found
        return None

    def _looked_at(self, function: int, value: int) -> tuple[str, list[int]]:
        """What happens to derived text in a call, and the arguments where it would."""
        _, callee, _, method, args, keywords = self._module.functions[function].ops[value]
        handed = [*args, *(arg for _, arg in keywords)]
        called = self._names.called(function, value)
        if called in DOORS:
            return f"goes through {called}(), which makes it an original", handed
        if method in EDITS and len(args) > 1:
            options = handed[2:]
            told = f"is given to {method}(), whose summarizer would read it"
            return told, options if method.endswith("rederive") else [args[0], *options]
        if method in {"observe", "observe_all", "from_messages"}:
            return f"is observed by {method}()", handed
        inner = self._names.function_of(function, callee) if callee != -1 else None
        if inner is not None and self._names.under(inner, SUMMARIZERS):
            return f"is given to {self._module.functions[inner].name}(), which is a summarizer", handed
        return "", []

    def _body(self, function: int) -> Iterator[Finding]:
        """The first place of a summarizer where it reads derived text that it was not given."""
        code = self._module.functions[function]
        for parameter in code.parameters:
            source = self._values.source(code.owner, parameter.default) if parameter.default else None
            if source is not None:
                span = self._module.functions[source.function].spans[source.value]
                yield self._finding(function, span, source, f"is the default of {parameter.name} in {code.name}()")
                return
        reads = (
            (code.spans[source.value] if source.function == function else None, span, source)
            for value, span in enumerate(code.spans)
            if span is not None and code.ops[value][0] not in {op.FUNC, op.CLASS}
            if (source := self._values.source(function, value)) is not None and self._reads(function, value, source)
        )
        first = min(((inside or span, source) for inside, span, source in reads), default=None)
        if first is not None:
            yield self._finding(function, *first, f"is read by {code.name}(), which is a summarizer")

    def _reads(self, function: int, value: int, source: Source) -> bool:
        """Whether the text itself is read: a span, and a result that is only handed on, are nothing yet."""
        kind = self._module.functions[function].ops[value][0]
        return source.what != "summarized" or kind == op.ATTR or self._names.called(function, value) == "expose"

    def _result(self, function: int) -> Iterator[Finding]:
        code = self._module.functions[function]
        if self._names.under(function, frozenset({"derives"})):
            made = Source(function, 0, "summarized")
            yield self._finding(function, code.span, made, f"is the result of {code.name}(), under @tool")
            return
        for value in code.returns:
            source = self._values.source(function, value)
            if source is not None:
                told = f"is the result of {code.name}(), which @tool makes an original"
                yield self._finding(function, code.spans[value], source, told)
                return

    def _finding(self, function: int, span: Span | None, source: Source, told: str) -> Finding:
        code = self._module.functions[function]
        origin = self._module.functions[source.function].spans[source.value]
        place, written = self._place(span or code.span), self._place(origin or span or code.span)
        return Finding(
            code=CODE,
            slug=SLUG,
            message=f"text that is {source.what} at {written} {told}",
            place=place,
            severity=SEVERITY,
            confidence=Confidence.HIGH,
            function=code.qualname,
            advice=_ADVICE,
            flows=(
                (
                    Step(StepRole.WRITTEN, written, f"derived text is {source.what} here"),
                    Step(StepRole.REACHES, place, told),
                ),
            ),
        )

    def _place(self, span: Span) -> Place:
        return Place(self._module.path, *span)
