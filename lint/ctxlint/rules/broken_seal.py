r"""A type of ctxcontracts is made or changed past its constructor.

## What it does

Reports, in code that uses ctxcontracts, `cast(...)` to one of its types, `object.__new__` of one of them,
`dataclasses.replace` of one of its spans, and assignments to a field of one, also by `object.__setattr__`.

## Why is this bad?

The types say which text was observed. Whoever says so past the doors makes an original out of anything, and neither a
type checker nor a guard can see it any more.

## Example

```python
from typing import cast

from ctxcontracts import ObservedText


def relabel(text):
    return cast(ObservedText, text)
```

## Use instead

```python
from ctxcontracts import user_text


def label(text):
    return user_text(text)
```

## How it decides

The first argument of `cast`, `object.__new__`, `super().__new__` is a name of ctxcontracts, or the constant text of
one; what is changed or copied is a parameter that is annotated as one of its spans.

## Known limits

Comments that silence a type checker are not read. A span without an annotation is not known as one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Confidence, Finding, Place, Severity
from ctxlint.ir import FunctionIR, ModuleIR
from ctxlint.ir import ops as op
from ctxlint.ir.calls import SEALED
from ctxlint.rules.own_names import OwnNames
from ctxlint.taint import Solution

CODE = "CTX102"
SLUG = "broken-seal"
SEVERITY = Severity.WARNING
_MAKING = frozenset({"cast", "__new__"})
_CHANGING = frozenset({"__setattr__", "__delattr__", "replace"})
_ADVICE = (
    "Get observed text through a door (user_text, @tool, ...), and derived text from buffer.rewrite or rederive."
)


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each such call."""
    for module in solution.modules:
        names = OwnNames(module)
        if names.any:
            yield from _findings(module, names)


def _findings(module: ModuleIR, names: OwnNames) -> Iterator[Finding]:
    for method in sorted(_MAKING | _CHANGING):
        for function, value in module.calls.get(method, ()):
            kind = _broken(names, function, value, method)
            if kind:
                yield _finding(module, function, value, f"{method}() makes or changes a {kind} past its constructor")
    for function, code in enumerate(module.functions):
        if any(_sealed(parameter.annotation) for parameter in code.parameters):
            for value, found in enumerate(code.ops):
                kind = _of_parameter(code, found[1]) if found[0] == op.SET_ATTR else ""
                if kind:
                    told = f"the field {found[2]} of a {kind} is changed past its constructor"
                    yield _finding(module, function, value, told)


def _finding(module: ModuleIR, function: int, value: int, told: str) -> Finding:
    code = module.functions[function]
    return Finding(
        code=CODE,
        slug=SLUG,
        message=told,
        place=Place(module.path, *(code.spans[value] or code.span)),
        severity=SEVERITY,
        confidence=Confidence.HIGH,
        function=code.qualname,
        advice=_ADVICE,
    )


def _sealed(annotation: str) -> str:
    return next((kind for kind in sorted(SEALED) if kind in annotation), "")


def _of_parameter(code: FunctionIR, value: int) -> str:
    """The sealed type that a parameter is declared to be."""
    found = code.ops[value]
    if found[0] != op.PARAM:
        return ""
    index: int = found[1]
    return _sealed(code.parameters[index].annotation)


def _broken(names: OwnNames, function: int, value: int, method: str) -> str:
    """The sealed type that a call makes or changes, or nothing."""
    code = names.functions[function]
    args = code.ops[value][4]
    if not args:
        return ""
    if method in _MAKING:
        found = names.resolved(function, args[0])
        text = str(found[1]) if found[0] == op.CONST else ""
        made = names.own(found) or text.rpartition(".")[2]
        return made if made in SEALED else ""
    return _of_parameter(code, args[0])
