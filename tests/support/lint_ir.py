r"""The linter's IR as a reader would say it, and what must hold of every IR.

    told("def f(llm, notes):\n    return llm.ask(notes + '!')")   ->   "llm.ask(notes + '!')"

A term names a parameter by its name, a global as `@name`, a captured variable as `^name`; `(a | b)` is one of both,
`each a` an element, `f{...}` a text made of texts, `a<.x=b>` is `a` after the assignment of `b` to `a.x`, `a~f()` is
`a` after the call, `a?(...)` is `a` where the test holds, `loop1(a; b)` the value at the head of loop 1, `exit1` the
one behind it, and `loop1` alone the same value met again. Nothing is known about `_`.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterable

from ctxlint.ir import Condition, FunctionIR, ModuleIR, lower_module
from ctxlint.ir import ops as o
from ctxlint.ir.ops import Op
from ctxlint.syntax import parse_module


def lowered(source: str) -> ModuleIR:
    """The IR of a program in a test, its indentation taken away."""
    text = textwrap.dedent(source)
    return lower_module(parse_module(text, "main.py"), path="main.py", source=text)


def function(module: ModuleIR, name: str = "f") -> FunctionIR:
    """The function with that qualified name."""
    [found] = [each for each in module.functions if each.qualname == name]
    return found


def told(source: str, name: str = "f") -> str:
    """What a function of the program returns, alternatives in order."""
    found = function(lowered(source), name)
    return " or ".join(term(found, value) for value in found.returns)


def all_told(found: FunctionIR, *kinds: int) -> list[str]:
    """Every operation of these kinds, in order."""
    return [term(found, value) for value, op in enumerate(found.ops) if op[0] in kinds]


def term(found: FunctionIR, value: int, met: frozenset[int] = frozenset()) -> str:
    """One value in words."""
    if value == 0:
        return "_"
    op = found.ops[value]
    if op[0] == o.LOOP and value in met:
        return f"loop{op[2]}"

    def say(inner: int) -> str:
        return term(found, inner, met | {value})

    return _SAY[op[0]](op, say)


Say = Callable[[int], str]


def _each(values: Iterable[int], say: Say, between: str) -> str:
    return between.join(map(say, values))


def _build(op: Op, say: Say) -> str:
    return "{" + ", ".join(f"{name or '**'}: {say(value)}" for name, value in op[1]) + "}"


def _call(op: Op, say: Say) -> str:
    callee = say(op[1]) if op[1] >= 0 else f"{say(op[2])}.{op[3]}"
    named = (f"{name}{'' if name in {'*', '**'} else '='}{say(value)}" for name, value in op[5])
    return f"{callee}({', '.join([*map(say, op[4]), *named])})"


def _loop(op: Op, say: Say) -> str:
    return f"loop{op[2]}({say(op[1])}; {_each(op[3], say, ' | ')})"


def condition(found: Condition) -> str:
    """One condition in words: `not is kind 'summary'`."""
    words = [found.kind, found.key, ", ".join(map(repr, found.values)) if found.kind != "call" else ""]
    return ("" if found.wanted else "not ") + " ".join(filter(None, words))


def _filter(op: Op, say: Say) -> str:
    return f"{say(op[1])}?({' and '.join(map(condition, op[2]))})"


def _test(op: Op, say: Say) -> str:
    claims = " and ".join(f"{claim.name} {condition(claim.condition)}" for claim in op[1])
    return f"test[{claims}]({_each(op[2], say, ', ')})"


_SAY: dict[int, Callable[[Op, Say], str]] = {
    o.OPAQUE: lambda op, say: "_",
    o.PARAM: lambda op, say: op[2],
    o.CONST: lambda op, say: repr(op[1]),
    o.NAME: lambda op, say: f"@{op[1]}",
    o.CAPTURE: lambda op, say: f"^{op[1]}",
    o.PHI: lambda op, say: f"({_each(op[1], say, ' | ')})",
    o.LOOP: _loop,
    o.EXIT: lambda op, say: f"exit{op[2]}({_each(op[1], say, ' | ')})",
    o.ATTR: lambda op, say: f"{say(op[1])}.{op[2]}",
    o.ITEM: lambda op, say: f"{say(op[1])}[{'?' if op[2] is None else repr(op[2])}]",
    o.SLICE: lambda op, say: f"{say(op[1])}[:]",
    o.ELEMENT: lambda op, say: f"each {say(op[1])}",
    o.CONCAT: lambda op, say: _each(op[1], say, " + "),
    o.FORMAT: lambda op, say: f"f{{{_each(op[1], say, ', ')}}}",
    o.BUILD: _build,
    o.SET_ATTR: lambda op, say: f"{say(op[1])}<.{op[2]}={say(op[3])}>",
    o.SET_ITEM: lambda op, say: f"{say(op[1])}<[{'?' if op[2] is None else repr(op[2])}]={say(op[3])}>",
    o.DELETE: lambda op, say: f"{say(op[1])}<del {'?' if op[2] is None else repr(op[2])}>",
    o.CALL: _call,
    o.OUT: lambda op, say: f"{say(op[1])}~{op[3]}",
    o.FUNC: lambda op, say: f"<function {op[1]}>",
    o.CLASS: lambda op, say: f"<class {op[1]}>",
    o.IMPORT: lambda op, say: f"<{op[1]}{':' if op[2] else ''}{op[2]}>",
    o.FILTER: _filter,
    o.SET_GLOBAL: lambda op, say: f"global {op[1]} = {say(op[2])}",
    o.SET_CAPTURE: lambda op, say: f"^{op[1]} = {say(op[3])}",
    o.TEST: _test,
}


def read(source: str) -> ast.Module:
    """The tree of a program in a test."""
    return parse_module(textwrap.dedent(source), "main.py")
