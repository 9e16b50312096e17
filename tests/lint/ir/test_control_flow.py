"""Where control flow splits and meets: which values a name can have here."""

from __future__ import annotations

import textwrap

import pytest
from ctxlint.ir.ops import CALL, CONCAT, EXIT, LOOP, PARAM

from tests.support.lint_ir import all_told, function, lowered, told


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
