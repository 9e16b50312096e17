"""Where control flow splits and meets: which values a name can have here."""

from __future__ import annotations

import textwrap

import pytest
from ctxlint.ir import ModuleIR
from ctxlint.ir.ops import CALL, CONCAT, EXIT, LOOP, PARAM

from tests.support.lint_ir import all_told, function, lowered, term, told


def _returns(body: str, parameters: str = "a, b") -> str:
    """What a function with this body returns."""
    return told(f"async def f({parameters}):\n" + textwrap.indent(textwrap.dedent(body).strip("\n"), "    "))


BRANCHES = [
    pytest.param("x = a\nif b:\n    x = b\nreturn x", "(b | a)", id="if"),
    pytest.param("if b:\n    x = a\nelse:\n    x = b\nreturn x", "(a | b)", id="if-else"),
    pytest.param("x = a\nif b:\n    y = b\nreturn x", "a", id="not-assigned-in-the-branch"),
    pytest.param("x = a\nif b:\n    x = a\nreturn x", "a", id="same-value-in-the-branch"),
    pytest.param("if b:\n    return a\nreturn b", "a or b", id="early-return"),
    pytest.param("x = a\nif b:\n    x = b\n    return x\nreturn x", "b or a", id="branch-that-returns"),
    pytest.param("x = a\nif b:\n    x = b\n    raise E(x)\nreturn x", "a", id="branch-that-raises"),
    pytest.param("if b:\n    return a\nelse:\n    return b\nreturn 'unreached'", "a or b", id="both-return"),
    pytest.param(
        "x = 0\nif a == 1:\n    x = 1\nelif a == 2:\n    x = 2\nelse:\n    x = 3\nreturn x", "(1 | 2 | 3)", id="elif"
    ),
    pytest.param("if b:\n    x = a\nreturn x", "a", id="assigned-in-one-branch-only"),
    pytest.param("return (x := a) and x", "(a)", id="walrus-in-a-test"),
    pytest.param("if (x := a.b()):\n    return x", "a.b()", id="walrus-in-an-if"),
    pytest.param("x = a\nb and (x := b)\nreturn x", "(b | a)", id="walrus-behind-an-and"),
    pytest.param("x = a\nassert b\nreturn x", "a", id="assert"),
]


@pytest.mark.parametrize(("body", "term"), BRANCHES)
def test_a_join_is_one_of_the_ways(body: str, term: str) -> None:
    """A way that ends in a jump does not come to the join."""
    assert _returns(body) == term


LOOPS = [
    pytest.param(
        "x = ''\nfor p in a:\n    x = x + p\nreturn x",
        "exit1(loop1(''; loop1 + each a) | loop1(''; loop1 + each a) + each a)",
        id="for",
    ),
    pytest.param("x = ''\nfor p in a:\n    h(p)\nreturn x", "''", id="untouched-in-the-loop"),
    pytest.param("x = ''\nfor p in a:\n    x = p\nreturn x", "exit1('' | each a)", id="written-but-not-read"),
    pytest.param("for p in a:\n    x = p\nreturn p", "exit1(each a)", id="target-after-the-loop"),
    pytest.param("async for p in a:\n    pass\nreturn p", "exit1(each a)", id="async-for"),
    pytest.param("for p, q in a:\n    pass\nreturn q", "exit1(each a[1])", id="target-is-a-pair"),
    pytest.param(
        "x = a\nwhile b:\n    x = repr(x)\nreturn x",
        "exit1(loop1(a; @repr(loop1)) | @repr(loop1(a; @repr(loop1))))",
        id="while",
    ),
    pytest.param(
        "x = a\nfor p in b:\n    if p.stop:\n        break\n    x = p\nreturn x",
        "exit1(a | each b?(not has stop))",
        id="break-before-the-write",
    ),
    pytest.param(
        "x = a\nfor p in b:\n    x = p\n    if p.stop:\n        x = 'end'\n        break\nreturn x",
        "exit1(a | each b?(not has stop) | 'end')",
        id="break-behind-a-write",
    ),
    pytest.param(
        "x = a\nfor p in b:\n    if p.skip:\n        x = 'skip'\n        continue\n    x = 'full'\nreturn x",
        "exit1(a | 'skip' | 'full')",
        id="continue-behind-a-write",
    ),
    pytest.param("for p in a:\n    return p\nreturn b", "each a or b", id="return-in-the-loop"),
    pytest.param("x = a\nfor p in b:\n    x = p\nelse:\n    x = 'all'\nreturn x", "'all'", id="else-of-a-loop"),
]


@pytest.mark.parametrize(("body", "term"), LOOPS)
def test_a_loop_joins_its_rounds(body: str, term: str) -> None:
    """At its head a name is from before or from the round before; behind it, from any way out."""
    assert _returns(body) == term


def test_an_inner_loop_is_a_round_of_the_outer_one() -> None:
    """What the inner loop leaves comes back at the outer head, which is what the inner loop starts from."""
    found = function(
        lowered("def f(a, b):\n    x = a\n    for p in b:\n        for q in p:\n            x = x + q\n")
    )
    heads = {op[2]: (value, op) for value, op in enumerate(found.ops) if op[0] == LOOP and op[1]}
    outer, (_, entry, _, [back]) = heads[1]
    _, (_, inner_entry, _, [inner_back]) = heads[2]
    assert found.ops[entry] == (PARAM, 0, "a")
    assert found.ops[back][0] == EXIT
    assert inner_back in found.ops[back][1]
    assert inner_entry == outer
    assert found.ops[inner_back][0] == CONCAT


def test_a_name_first_assigned_in_a_later_round_comes_back() -> None:
    """The first round reads nothing, the next one what the first wrote."""
    found = function(lowered("def f(a):\n    for p in a:\n        if a:\n            print(x)\n        x = p\n"))
    [call] = all_told(found, CALL)
    assert call == "@print(loop1(_; each a))"


def test_a_global_read_in_a_loop_is_no_value_of_the_loop() -> None:
    """A name that the function never assigns belongs to the module or to Python."""
    module = lowered("LIMIT = 3\ndef f(a):\n    for p in a:\n        print(p, LIMIT, len)\n")
    assert all_told(function(module), LOOP) == []
    assert all_told(function(module), CALL) == ["@print(each a, @LIMIT, @len)"]


def test_a_loop_is_the_range_of_its_values() -> None:
    """Inner loops lie in outer ones and name them."""
    found = function(
        lowered("def f(a):\n    for p in a:\n        for q in p:\n            h(q)\n    while a:\n        h(a)\n")
    )
    outer, inner, second = found.loops[1:]
    assert [loop.parent for loop in found.loops] == [0, 0, 1, 0]
    assert outer.start <= inner.start < inner.end <= outer.end <= second.start < second.end <= len(found.ops)


TRIES = [
    pytest.param("try:\n    x = a\nexcept E:\n    x = b\nreturn x", "(a | b)", id="except"),
    pytest.param("try:\n    x = a\nexcept E as e:\n    x = e\nreturn x", "a", id="the-error-is-unknown"),
    pytest.param("x = a\ntry:\n    x = h(b)\nexcept E:\n    return x", "(@h(b) | a)", id="handler-sees-either-state"),
    pytest.param("try:\n    x = a\nexcept E:\n    raise\nreturn x", "a", id="handler-that-raises"),
    pytest.param("try:\n    x = a\nexcept E:\n    return b\nelse:\n    x = x.c\nreturn x", "b or a.c", id="else"),
    pytest.param("try:\n    x = a\nfinally:\n    y = b\nreturn x + y", "a + b", id="finally"),
    pytest.param("try:\n    return a\nfinally:\n    h(b)\nreturn 'unreached'", "a", id="return-in-try"),
    pytest.param("try:\n    return a\nexcept E:\n    x = b\nreturn x", "a or b", id="return-before-a-handler"),
    pytest.param("try:\n    h()\nfinally:\n    return a", "a", id="return-in-finally"),
    pytest.param("try:\n    x = a\nexcept* E:\n    x = b\nreturn x", "(a | b)", id="group"),
    pytest.param(
        "try:\n    x = a\nexcept A:\n    x = 1\nexcept B:\n    x = 2\nreturn x", "(a | 1 | 2)", id="two-handlers"
    ),
]


@pytest.mark.parametrize(("body", "term"), TRIES)
def test_a_try_ends_in_its_body_or_in_a_handler(body: str, term: str) -> None:
    """`finally` runs on every way."""
    assert _returns(body.replace("async ", "")) == term


def test_finally_runs_on_the_way_of_a_return() -> None:
    """Its calls are there, also when nothing behind it is reached."""
    found = function(
        lowered("def f(a):\n    try:\n        return a\n    finally:\n        a.close()\n    a.never()\n")
    )
    assert all_told(found, CALL) == ["a.close()"]


@pytest.mark.parametrize(
    ("body", "term"),
    [
        pytest.param("with a.b() as x:\n    return x", "a.b()", id="with"),
        pytest.param("with a as x, b as y:\n    return x + y", "a + b", id="two-managers"),
        pytest.param("with a as (x, y):\n    return y", "a[1]", id="pair"),
        pytest.param("async with a as x:\n    y = x\nreturn y", "a", id="async-with"),
        pytest.param("with a:\n    x = b\nreturn x", "b", id="no-name"),
    ],
)
def test_a_with_block_is_entered(body: str, term: str) -> None:
    """The manager's value stands for what entering it gives."""
    assert _returns(body) == term


MATCHES = [
    pytest.param("match a:\n    case x:\n        return x", "a", id="name"),
    pytest.param("match a:\n    case {'k': x}:\n        return x", "a['k']", id="key"),
    pytest.param("match a:\n    case {K.L: x}:\n        return x", "a[?]", id="named-key"),
    pytest.param("match a:\n    case {'k': _, **x}:\n        return x", "a", id="rest-of-a-mapping"),
    pytest.param("match a:\n    case [x, y]:\n        return y", "a[1]", id="position"),
    pytest.param("match a:\n    case [x, *y]:\n        return y", "a", id="rest-of-a-sequence"),
    pytest.param("match a:\n    case [x, *_]:\n        return x", "a[0]", id="nameless-rest"),
    pytest.param("match a:\n    case P(x):\n        return x", "a[?]", id="positional-field"),
    pytest.param("match a:\n    case P(t=x):\n        return x", "a['t']", id="named-field"),
    pytest.param("match a:\n    case str() as x:\n        return x", "a", id="as"),
    pytest.param("match a:\n    case [1, x] | [2, x]:\n        return x", "a[1]", id="alternatives"),
    pytest.param("match a:\n    case {'k': [x, _]}:\n        return x", "a['k'][0]", id="nested"),
    pytest.param("match a:\n    case 1:\n        return b\nreturn a", "b or a", id="value"),
    pytest.param("match a:\n    case x if x.ok:\n        return x", "a?(has ok)", id="guard"),
    pytest.param("x = a\nmatch b:\n    case 1:\n        x = b\nreturn x", "(a | b)", id="join"),
    pytest.param(
        "match h(a):\n    case None:\n        return b\n    case x:\n        return x", "b or @h(a)", id="two-cases"
    ),
]


@pytest.mark.parametrize(("body", "term"), MATCHES)
def test_a_pattern_takes_its_subject_apart(body: str, term: str) -> None:
    """A capture holds the part of the subject that it stands for."""
    assert _returns(body) == term


WAYS = [
    pytest.param("x = a\ntry:\n    x = b\n    return x\nfinally:\n    c(x)", ["@c(b)"], id="return"),
    pytest.param("x = a\ntry:\n    x = b\n    raise E\nfinally:\n    c(x)", ["@E", "@c(b)"], id="raise"),
    pytest.param(
        "x = a\ntry:\n    if b:\n        x = b\n        return x\nfinally:\n    c(x)",
        ["@c((a | b))"],
        id="one-way-returns",
    ),
    pytest.param(
        "for i in b:\n    x = a\n    try:\n        x = i\n        break\n    finally:\n        c(x)",
        ["@c(each b)"],
        id="break",
    ),
    pytest.param(
        "x = a\ntry:\n    for x in b:\n        break\n    x = b\nfinally:\n    c(x)",
        ["@c(b)"],
        id="break-of-a-loop-inside",
    ),
    pytest.param(
        "x = a\ntry:\n    x = b\n    raise E\nexcept E:\n    x = 0\nfinally:\n    c(x)", ["@c(0)"], id="caught"
    ),
]


@pytest.mark.parametrize(("body", "calls"), WAYS)
def test_a_finally_sees_what_was_assigned_on_the_way_into_it(body: str, calls: list[str]) -> None:
    """Whether the way goes on behind it or somewhere else."""
    found = function(lowered(f"def f(a, b):\n{textwrap.indent(body, '    ')}\n"))
    assert [text for text in all_told(found, CALL) if text.startswith("@c")] == [calls[-1]]


def test_what_goes_on_behind_a_finally_is_not_what_left_in_it() -> None:
    """The way that returned does not come out at the end."""
    body = "x = a\ntry:\n    if b:\n        x = b\n        return 0\nfinally:\n    y = a\nreturn x + y"
    assert _returns(body) == "0 or a + a"


@pytest.mark.parametrize(
    ("pattern", "term"),
    [
        pytest.param("_", "b", id="wildcard"),
        pytest.param("rest", "b", id="name"),
        pytest.param("(_ as rest)", "b", id="named-wildcard"),
        pytest.param("(1 | _)", "b", id="alternative"),
        pytest.param("_ if a", "(a | b)", id="guarded"),
        pytest.param("1", "(a | b)", id="value"),
        pytest.param("[_]", "(a | b)", id="sequence"),
    ],
)
def test_nothing_goes_past_a_case_that_takes_all(pattern: str, term: str) -> None:
    """Only a case without a condition closes the match."""
    assert _returns(f"x = a\nmatch b:\n    case {pattern}:\n        x = b\nreturn x") == term


READ_IN_A_LOOP = [
    pytest.param("x = a", id="assignment"),
    pytest.param("x: str = a", id="annotated"),
    pytest.param("x, *y = a", id="pair"),
    pytest.param("for x in a: pass", id="loop"),
    pytest.param("with a as x: pass", id="with"),
    pytest.param("import x", id="import"),
    pytest.param("def x(): pass", id="function"),
    pytest.param("(x := a)", id="walrus"),
    pytest.param("if a:\n            x = a", id="branch"),
    pytest.param("try: x = a\n        except E: pass", id="try"),
    pytest.param("try: a()\n        except E as x: pass", id="handler"),
    pytest.param("match a:\n            case [1, *x]: pass", id="star-pattern"),
    pytest.param("match a:\n            case {'k': 1, **x}: pass", id="mapping-pattern"),
    pytest.param("match a:\n            case x: pass", id="capture-pattern"),
    pytest.param("match a:\n            case 1:\n                x = a", id="case"),
]


@pytest.mark.parametrize("statement", READ_IN_A_LOOP)
def test_a_name_that_the_function_assigns_further_down_is_local(statement: str) -> None:
    """Even where the module or the builtins have one of that name."""
    module = lowered(f"x = 1\ndef f(a):\n    for i in a:\n        i(x)\n        {statement}\n")
    assert "x" not in module.globals_read


@pytest.mark.parametrize("name", ["print", "known", "unknown"])
def test_a_name_that_the_function_never_assigns_is_from_outside(name: str) -> None:
    """Also one that only a star import can have brought."""
    module = lowered(f"from m import *\nknown = 1\ndef f(a):\n    for i in a:\n        {name}(i)\n")
    assert name in module.globals_read


ROUNDS = [
    pytest.param(
        "x = ''\n[x := x + i for i in a]\nreturn x",
        "exit1(loop1(''; loop1 + each a) | loop1(''; loop1 + each a) + each a)",
        id="walrus",
    ),
    pytest.param(
        "[a.append(i) for i in b]\nreturn a", "exit1(loop1(a; loop1~self) | loop1(a; loop1~self)~self)", id="change"
    ),
    pytest.param("return [i.strip() for i in a]", "{[]: each a.strip()}", id="none"),
    pytest.param("return [(y := i) for i in a]", "{[]: exit1(each a)}", id="element"),
    pytest.param("i = b\n[(y := i) for i in a]\nreturn i", "b", id="its-own-name"),
]


@pytest.mark.parametrize(("body", "term"), ROUNDS)
def test_a_comprehension_has_rounds_where_one_leaves_something_to_the_next(body: str, term: str) -> None:
    """What a walrus assigns and a call changes is known behind it."""
    assert _returns(body) == term


def test_a_comprehensions_name_is_forgotten_behind_it() -> None:
    """A nested function that reads a name of the module does not get the comprehension's."""
    module = lowered("x = 1\ndef f(a):\n    y = [x for x in a]\n    def g():\n        return x\n    return g\n")
    assert told_of(module, "f.g") == "@x"
    assert function(module).variables == {}


def told_of(module: ModuleIR, name: str) -> str:
    """What one function of a lowered module returns."""
    found = function(module, name)
    return " or ".join(term(found, value) for value in found.returns)
