"""The graph that the lowering makes of small functions."""

from __future__ import annotations

import ast
import pickle

import pytest
from ctxlint.errors import UnreadableError
from ctxlint.ir import FunctionIR, ModuleIR, lower_module, ops


def module(source: str) -> ModuleIR:
    """The IR of a source text."""
    return lower_module(ast.parse(source), path="a.py", source=source)


def function(source: str) -> FunctionIR:
    """The first function of a source text."""
    return module(source).functions[1]


def kinds(owner: FunctionIR, value: int) -> int:
    """The kind of the operation behind a value."""
    return owner.ops[value][0]


def test_a_variable_that_a_loop_changes_has_a_value_at_its_head() -> None:
    """The head joins what was there before with what the last round left."""
    owner = function("def f(xs):\n    s = ''\n    for x in xs:\n        s = s + x\n    return s\n")
    heads = [op for op in owner.ops if op[0] == ops.LOOP]
    assert [owner.names[op[1]] for op in heads] == ["s"]
    assert [kinds(owner, value) for op in heads for value in op[3]] == [ops.CONCAT]
    assert [kinds(owner, value) for value in owner.returns] == [ops.EXIT]


def test_a_variable_that_a_loop_only_reads_goes_around_unchanged() -> None:
    """Its head has no way back."""
    owner = function("def f(xs, s):\n    for x in xs:\n        g(s.upper(), x)\n")
    assert all(not op[3] or owner.names[op[1]] != "s" for op in owner.ops if op[0] == ops.LOOP)


def test_branches_meet_in_one_value() -> None:
    """Both assignments are possible afterwards."""
    owner = function("def f(c):\n    if c:\n        s = 'a'\n    else:\n        s = 'b'\n    return s\n")
    (value,) = owner.returns
    assert [owner.ops[part] for part in owner.ops[value][1]] == [(ops.CONST, "a"), (ops.CONST, "b")]


def test_a_branch_that_returns_does_not_meet_the_other() -> None:
    """Only the living branch counts."""
    owner = function("def f(c):\n    s = 'a'\n    if c:\n        s = 'b'\n        return s\n    return s\n")
    assert [owner.ops[value] for value in owner.returns] == [(ops.CONST, "b"), (ops.CONST, "a")]


def test_a_change_in_place_is_seen_under_every_name() -> None:
    """Two names of one list hold the same new value."""
    owner = function("def f(a, x):\n    b = a\n    a.append(x)\n    return b\n")
    assert [kinds(owner, value) for value in owner.returns] == [ops.OUT]


def test_a_captured_variable_leads_to_all_its_values() -> None:
    """The nested function may run after any assignment."""
    owner = function("def f():\n    s = 'a'\n    def g():\n        return s\n    s = 'b'\n    return g\n")
    assert [owner.ops[value] for value in owner.variables["s"]] == [(ops.CONST, "a"), (ops.CONST, "b")]


def test_a_later_assignment_makes_an_unknown_name_local_in_a_loop() -> None:
    """The first round has no value, the second one has."""
    owner = function("def f(xs):\n    for x in xs:\n        if x:\n            g(s)\n        s = x.y\n")
    assert any(op[0] == ops.LOOP and op[3] for op in owner.ops)


def test_columns_count_characters() -> None:
    """A wide letter before a call does not move it."""
    owner = function("def f(g):\n    return 'äöü' + g()\n")
    call = next(value for value, op in enumerate(owner.ops) if op[0] == ops.CALL)
    assert owner.spans[call] == (2, 19, 2, 22)


def test_a_form_feed_ends_no_line() -> None:
    """The parser and we count the same lines."""
    owner = function("# ä\x0c\u2028\ndef f(g):\n    return 'ä' + g()\n")
    call = next(value for value, op in enumerate(owner.ops) if op[0] == ops.CALL)
    assert owner.spans[call] == (3, 17, 3, 20)


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        pytest.param("m['k'] == 'summary'", ("is", "k", ("summary",), True), id="equal"),
        pytest.param("m.get('k') != 'summary'", ("is", "k", ("summary",), False), id="unequal"),
        pytest.param("not m.done", ("has", "done", (), False), id="not"),
        pytest.param("m.k is None", ("has", "k", (), False), id="none"),
        pytest.param("isinstance(m, (A, b.B))", ("type", "", ("A", "b.B"), True), id="type"),
        pytest.param("type(m) is A", ("type", "", ("A",), True), id="exact-type"),
        pytest.param("m.role in ('a', 'b')", ("is", "role", ("a", "b"), True), id="one-of"),
        pytest.param("m['c'].startswith(MARK)", ("prefix", "c", ("$MARK",), True), id="prefix"),
        pytest.param("MARK in m.c", ("prefix", "c", ("$MARK",), True), id="inside"),
        pytest.param("'k' in m", ("holds", "", ("k",), True), id="key"),
        pytest.param("m.id not in self.ids", ("member", "id", ("ids",), False), id="member"),
    ],
)
def test_a_test_says_something_about_its_variable(test: str, expected: tuple[object, ...]) -> None:
    """What guards are written with is understood."""
    owner = function(f"def f(m):\n    if {test}:\n        return m\n")
    (value,) = owner.returns
    (condition,) = owner.ops[value][2]
    assert (condition.kind, condition.key, condition.values, condition.wanted) == expected


def test_an_alternative_says_nothing_when_true() -> None:
    """`a or b` does not tell which; the claim about `m.a` in front of `m.b` joins with its opposite."""
    owner = function("def f(m):\n    if m.a or m.b:\n        return m\n")
    (value,) = owner.returns
    assert kinds(owner, value) != ops.FILTER


def test_ir_survives_pickling() -> None:
    """Workers and the cache hand it on."""
    source = "class A:\n    def f(self, m):\n        return [x for x in m if not x.get('k')]\n"
    assert pickle.loads(pickle.dumps(module(source))) == module(source)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + " + ".join(["'a'"] * 800), id="sum"),
        pytest.param("if x:\n    pass\n" + "elif y:\n    pass\n" * 60, id="elif"),
        pytest.param("x = [" + "1, " * 20_000 + "]", id="list"),
    ],
)
def test_long_code_is_not_deep_code(source: str) -> None:
    """Chains are walked, not recursed into."""
    assert module(source).functions


def test_deep_code_is_unreadable_not_fatal() -> None:
    """A tower of calls ends in the error of its own file."""
    source = "x = " + "f(" * 400 + ")" * 400
    with pytest.raises(UnreadableError, match="nested too deeply"):
        module_of_depth(source)


def module_of_depth(source: str) -> ModuleIR:
    """Lower with little stack left, as within a deep caller."""
    tree: ast.AST = ast.Name("y", ast.Load(), lineno=1, col_offset=0, end_lineno=1, end_col_offset=1)
    place = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 1}
    for _ in range(3000):
        tree = ast.Call(func=tree, args=[], keywords=[], **place)
    body = ast.Expr(value=tree, **place)
    return lower_module(ast.Module(body=[body], type_ignores=[]), path="a.py", source=source)


SYNTAX = """
import a.b as c
from . import d
from e import *
async def f(x, /, y=1, *args, z: "int" = 2, **kw) -> list[int]:
    async with x as (p, q), y:
        async for i in x:
            await i
        else:
            del x[0], x[:], y
    try:
        raise ValueError from None
    except* OSError as error:
        assert error
    finally:
        global g
        g = yield p
    while (n := x.pop()):
        if n: continue
        elif q: break
    x.a.b["k"] = y[1:2] = [*x, *y]
    x["k"] += lambda: {**kw, 1: 2}
    x[1:] = {i async for i in y if i}
    match x:
        case {"k": [v, *rest], **other} if v: return rest
        case A(b, c=1) | None as whole: yield from whole
        case _: pass
    return not -x if x and y else (i for i in x for j in i), f"{x!r:>{y}}"
class K(A[int], metaclass=M):
    field: int = 1
    @property
    def p(self):
        nonlocal_ = self.field
        def inner():
            nonlocal nonlocal_
            nonlocal_ = 1
        return super().p(inner)
"""


def test_every_statement_lowers() -> None:
    """The whole grammar passes through."""
    found = module(SYNTAX)
    assert found.star_imports == ("e",)
    assert [function.name for function in found.functions] == ["<module>", "f", "p", "<lambda>", "inner"]
    assert found.classes[0].bases == ("A",)
