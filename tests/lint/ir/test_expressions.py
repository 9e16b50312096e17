"""Expressions: which value is made of which values (the words of the terms stand in `tests.support.lint_ir`)."""

from __future__ import annotations

import pytest
from ctxlint.ir.ops import CALL

from tests.support.lint_ir import all_told, function, lowered, term, told


def _of(expression: str) -> str:
    """The term of an expression over three parameters."""
    return told(f"async def f(a, b, c):\n    x = {expression}\n    return x")


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("a", "a", id="parameter"),
        pytest.param("MEMO", "@MEMO", id="global"),
        pytest.param("'x'", "'x'", id="text"),
        pytest.param("'x' 'y'", "'xy'", id="joined-literals"),
        pytest.param("12", "12", id="number"),
        pytest.param("True", "True", id="truth"),
        pytest.param("None", "None", id="none"),
        pytest.param("1.5", "_", id="float-says-nothing"),
        pytest.param("b'x'", "_", id="bytes-say-nothing"),
        pytest.param("...", "_", id="ellipsis-says-nothing"),
    ],
)
def test_a_leaf_is_what_it_names(expression: str, term: str) -> None:
    """Texts, whole numbers, truth values and None keep their value; other constants are unknown."""
    assert _of(expression) == term


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("a.b.c", "a.b.c", id="attributes"),
        pytest.param("a['k']", "a['k']", id="key"),
        pytest.param("a[0]", "a[0]", id="position"),
        pytest.param("a[-1]", "a[?]", id="position-from-the-end"),
        pytest.param("a[b]", "a[?]", id="unknown-key"),
        pytest.param("a[1:2]", "a[:]", id="slice"),
        pytest.param("a[:]", "a[:]", id="whole-slice"),
        pytest.param("a[1:2, 3]", "a[?]", id="slices-in-a-tuple"),
        pytest.param("a[h(b)]['k']", "a[?]['k']", id="key-below-an-unknown-key"),
        pytest.param("getattr(a, 'b')", "a.b", id="getattr"),
        pytest.param("getattr(a, 'b', c)", "(a.b | c)", id="getattr-with-default"),
        pytest.param("getattr(a, b)", "@getattr(a, b)", id="getattr-of-an-unknown-name"),
        pytest.param("getattr(*a)", "@getattr(*a)", id="getattr-of-a-star"),
    ],
)
def test_a_part_is_read_from_its_base(expression: str, term: str) -> None:
    """Attribute, key, position or slice, as far as it is constant."""
    assert _of(expression) == term


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("a + b + 'c'", "a + b + 'c'", id="sum"),
        pytest.param("a | b", "a + b", id="union"),
        pytest.param("a * 3", "a + 3", id="repetition"),
        pytest.param("'%s' % a", "f{'%s', a}", id="percent"),
        pytest.param("'%s %s' % (a, b)", "f{'%s %s', {0: a, 1: b}}", id="percent-of-a-pair"),
        pytest.param("a + b % c", "a + f{b, c}", id="percent-in-a-sum"),
        pytest.param("f'{a} and {b!r:>10}'", "f{a, ' and ', b}", id="f-string"),
        pytest.param("f''", "f{}", id="empty-f-string"),
        pytest.param("f'{a}' 'x'", "f{a, 'x'}", id="f-string-beside-a-text"),
        pytest.param("f'{f\"{a}\"}'", "f{f{a}}", id="f-string-in-an-f-string"),
    ],
)
def test_a_joined_text_holds_its_parts(expression: str, term: str) -> None:
    """`+` keeps a collection a collection; a format makes one text."""
    assert _of(expression) == term


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("[a, b]", "{[]: a, []: b}", id="list"),
        pytest.param("[*a, b]", "{**: a, []: b}", id="list-with-a-star"),
        pytest.param("{a, b}", "{[]: a, []: b}", id="set"),
        pytest.param("(a, b)", "{0: a, 1: b}", id="tuple"),
        pytest.param("(*a, b)", "{**: a, []: b}", id="tuple-with-a-star"),
        pytest.param("()", "{}", id="empty-tuple"),
        pytest.param("{'k': a, 1: b}", "{k: a, 1: b}", id="dict"),
        pytest.param("{c: a, **b}", "{[]: a, **: b}", id="dict-of-unknown-keys-and-a-dict"),
        pytest.param("[x for x in a]", "{[]: each a}", id="list-comprehension"),
        pytest.param("{x for x in a}", "{[]: each a}", id="set-comprehension"),
        pytest.param("[x async for x in a]", "{[]: each a}", id="async-comprehension"),
        pytest.param("list(x.t for x in a)", "@list({[]: each a.t})", id="generator"),
        pytest.param("{k: v for k, v in a.items()}", "{[]: each a.items()[1]}", id="dict-comprehension"),
        pytest.param("[y for x in a for y in x]", "{[]: each each a}", id="two-loops-in-a-comprehension"),
        pytest.param("[x for x in a if x.ok]", "{[]: each a?(has ok)}", id="condition-in-a-comprehension"),
        pytest.param("[x for x in a if b]", "{[]: each a}", id="condition-about-something-else"),
    ],
)
def test_a_display_says_where_each_part_is(expression: str, term: str) -> None:
    """A tuple has positions, a dict has keys, every other collection has elements."""
    assert _of(expression) == term


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("a if b else c", "(a | c)", id="conditional"),
        pytest.param("a if b else a", "(a)", id="conditional-of-the-same"),
        pytest.param("a or b", "(a | b)", id="or"),
        pytest.param("a and b or c", "((a | b) | c)", id="and-or"),
        pytest.param("a.b if a.ok else c", "(a?(has ok).b | c)", id="conditional-about-its-value"),
        pytest.param("not a", "_", id="not"),
        pytest.param("-a", "_", id="sign"),
        pytest.param("a < b < c", "_", id="comparison"),
        pytest.param("a == 'x'", "_", id="equality"),
        pytest.param("'k' in a", "_", id="membership"),
    ],
)
def test_a_choice_is_one_of_its_values(expression: str, term: str) -> None:
    """A truth value carries no text."""
    assert _of(expression) == term


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        pytest.param("a(b)(c)", "a(b)(c)", id="call-of-a-result"),
        pytest.param("a.b(c, k=b)", "a.b(c, k=b)", id="method"),
        pytest.param("a(*b, **c)", "a(*b, **c)", id="stars"),
        pytest.param("a(b, *c, k=a)", "a(b, *c, k=a)", id="star-behind-a-position"),
        pytest.param("await a.b()", "a.b()", id="await"),
        pytest.param("a[0](c)", "a[0](c)", id="call-of-an-element"),
        pytest.param("(a or b).m(c)", "(a | b).m(c)", id="method-of-a-choice"),
        pytest.param("'{}'.format(a)", "'{}'.format(a)", id="method-of-a-text"),
        pytest.param("lambda x: x", "<function 2>", id="lambda"),
        pytest.param("(y := a) + y", "a + a", id="walrus"),
    ],
)
def test_a_call_has_callee_or_receiver_and_arguments(expression: str, term: str) -> None:
    """Await is the value awaited; a star is an argument without a position."""
    assert _of(expression) == term


def test_a_long_sum_is_one_join() -> None:
    """A chain of `+` is walked and not recursed into."""
    assert _of(" + ".join(["a"] * 2000)) == " + ".join(["a"] * 2000)


def test_a_dropped_expression_is_still_lowered() -> None:
    """A call for its effect is there; a bare text is not."""
    found = function(lowered("def f(a):\n    'doc'\n    a.b()\n    'remark'\n    [h(x) for x in a]\n    a.c < g(a)"))
    assert all_told(found, CALL) == ["a.b()", "@h(each a~self)", "@g(a~self)"]


@pytest.mark.parametrize(
    ("body", "yields"),
    [
        pytest.param("yield a", ["a"], id="yield"),
        pytest.param("yield", [], id="bare-yield"),
        pytest.param("yield from a", ["each a"], id="yield-from"),
        pytest.param("x = yield a\n    yield x", ["a", "_"], id="what-is-sent-is-unknown"),
        pytest.param("yield a\n    yield a", ["a"], id="twice-the-same"),
    ],
)
def test_what_a_generator_yields_is_recorded(body: str, yields: list[str]) -> None:
    """Each value once, apart from what it returns."""
    found = function(lowered(f"def f(a):\n    {body}\n"))
    assert [term(found, value) for value in found.yields] == yields
