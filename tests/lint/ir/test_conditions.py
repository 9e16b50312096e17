"""What a test says about a variable, where it holds and where it does not."""

from __future__ import annotations

import pytest
from ctxlint.ir.ops import CALL, FILTER, TEST

from tests.support.lint_ir import all_told, condition, function, lowered


def _filters(test: str) -> tuple[str, str]:
    """What is said about `m` inside `if test:` and inside its `else:`."""
    found = function(lowered(f"def f(m, n):\n    if {test}:\n        yes(m)\n    else:\n        no(m)\n"))
    sides = {"yes": "", "no": ""}
    for op in found.ops:
        if op[0] == CALL and found.ops[op[1]][-1] in sides:
            held = found.ops[op[4][0]]
            sides[found.ops[op[1]][1]] = " and ".join(map(condition, held[2])) if held[0] == FILTER else ""
    return sides["yes"], sides["no"]


CLAIMS = [
    pytest.param("m.pinned", "has pinned", id="attribute"),
    pytest.param("m['pinned']", "has pinned", id="key"),
    pytest.param("m.get('pinned')", "has pinned", id="get"),
    pytest.param("m.get('pinned', False)", "has pinned", id="get-with-default"),
    pytest.param("getattr(m, 'pinned', None)", "has pinned", id="getattr"),
    pytest.param("bool(m.pinned)", "has pinned", id="bool"),
    pytest.param("m.metadata.get('pinned')", "has pinned", id="get-of-an-attribute"),
    pytest.param("m['meta']['pinned']", "has pinned", id="key-of-a-key"),
    pytest.param("m.meta.pinned", "has pinned", id="attribute-of-an-attribute"),
    pytest.param("m.pinned is True", "is pinned True", id="is-true"),
    pytest.param("m.pinned is not None", "has pinned", id="is-not-none"),
    pytest.param("m.kind == 'summary'", "is kind 'summary'", id="equals-a-text"),
    pytest.param("m.get('kind') == KIND", "is kind '$KIND'", id="equals-a-name"),
    pytest.param("m.kind == Kind.SUMMARY", "is kind '$Kind.SUMMARY'", id="equals-an-enum"),
    pytest.param("m['role'] in ('a', 'b')", "is role 'a', 'b'", id="in-a-tuple"),
    pytest.param("m['role'] in [A, 'b']", "is role '$A', 'b'", id="in-a-list"),
    pytest.param("str(m.kind) == 'x'", "is kind 'x'", id="equals-as-text"),
    pytest.param("'mark' in m", "holds 'mark'", id="key-in-the-object"),
    pytest.param("MARK in m.text", "prefix text '$MARK'", id="mark-in-a-field"),
    pytest.param("'mark' in m['text']", "prefix text 'mark'", id="text-in-a-field"),
    pytest.param("m.text.startswith(MARK)", "prefix text '$MARK'", id="prefix-of-a-field"),
    pytest.param("m.startswith('[S]')", "prefix '[S]'", id="prefix-of-the-text"),
    pytest.param("isinstance(m, Note)", "type 'Note'", id="isinstance"),
    pytest.param("isinstance(m, (Note, a.Mark))", "type 'Note', 'a.Mark'", id="isinstance-of-either"),
    pytest.param("type(m) is Note", "type 'Note'", id="type-is"),
    pytest.param("type(m) == Note", "type 'Note'", id="type-equals"),
    pytest.param("is_summary(m)", "call", id="function"),
    pytest.param("n.is_summary(m)", "call", id="method"),
    pytest.param("m.is_summary()", "call is_summary", id="method-of-itself"),
]


@pytest.mark.parametrize(("test", "claim"), CLAIMS)
def test_a_claim_holds_on_one_side_and_not_on_the_other(test: str, claim: str) -> None:
    """`if`, `not` and `else` turn the same claim round."""
    assert _filters(test) == (claim, f"not {claim}")
    assert _filters(f"not {test}" if " " not in test else f"not ({test})") == (f"not {claim}", claim)


@pytest.mark.parametrize(
    ("test", "yes", "no"),
    [
        pytest.param("m.kind != 'x'", "not is kind 'x'", "is kind 'x'", id="unequal"),
        pytest.param("m.kind not in ('x',)", "not is kind 'x'", "is kind 'x'", id="not-in"),
        pytest.param("m.pinned is None", "not has pinned", "has pinned", id="is-none"),
        pytest.param("m.pinned is False", "not has pinned", "has pinned", id="is-false"),
        pytest.param("m.pinned == None", "not has pinned", "has pinned", id="equals-none"),
        pytest.param("'mark' not in m", "not holds 'mark'", "holds 'mark'", id="key-not-in"),
        pytest.param("type(m) is not Note", "not type 'Note'", "type 'Note'", id="type-is-not"),
        pytest.param("m.a and not m.b", "has a and not has b", "", id="and"),
        pytest.param("m.a or m.b", "", "not has a and not has b", id="or"),
        pytest.param("not (m.a and m.b)", "", "has a and has b", id="not-and"),
        pytest.param("not (m.a or m.b)", "not has a and not has b", "", id="not-or"),
    ],
)
def test_claims_are_combined_as_logic_does(test: str, yes: str, no: str) -> None:
    """What holds on neither side for sure is not claimed."""
    sides = _filters(test)
    assert [text.rpartition(")(")[2] for text in sides] == [yes, no]


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("m", id="the-variable-itself"),
        pytest.param("n.pinned", id="another-variable"),
        pytest.param("m > n", id="order"),
        pytest.param("1 < m.x < 3", id="chain"),
        pytest.param("m.count > 3", id="order-of-a-field"),
        pytest.param("m.kind == n.get(m)", id="equals-something-unknown"),
        pytest.param("m == 'x'", id="the-text-itself"),
        pytest.param("m[0]", id="position"),
        pytest.param("m[n]", id="unknown-key"),
        pytest.param("m.get(n)", id="get-of-an-unknown-key"),
        pytest.param("m.kind in ()", id="in-nothing"),
        pytest.param("m in n", id="element-of"),
        pytest.param("isinstance(m.x, Note)", id="type-of-a-field"),
        pytest.param("print(1)", id="call-about-nothing"),
        pytest.param("type() is m", id="type-of-nothing"),
        pytest.param("(lambda: m.x)", id="lambda"),
        pytest.param("f(1).x", id="field-of-a-result"),
        pytest.param("m.x.startswith()", id="prefix-of-nothing"),
    ],
)
def test_other_tests_claim_nothing(test: str) -> None:
    """Nothing is known about the variable, so it is not filtered."""
    assert _filters(test) == ("", "")


def test_a_claim_reaches_to_the_end_of_the_way() -> None:
    """Behind `continue`, `return` or an assert, the other side holds."""
    source = """
        def f(a):
            for m in a:
                if m.old:
                    continue
                assert not m.pinned
                print(m)
    """
    found = function(lowered(source))
    assert all_told(found, CALL) == ["@print(each a?(not has old)?(not has pinned))"]


def test_a_claim_holds_inside_its_own_expression() -> None:
    """`a and b` evaluates b where a is true; a conditional expression has two sides."""
    found = function(lowered("def f(m):\n    m.a and yes(m)\n    m.b or no(m)\n    x = h(m) if m.c else g(m)\n"))
    told = all_told(found, CALL)
    assert [text.rpartition("?")[2] for text in told] == ["(has a))", "(not has b))", "(has c))", "(not has c))"]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        pytest.param("m.kind == 'x'", ["test[m is kind 'x'](_)"], id="comparison"),
        pytest.param("not is_old(m)", ["test[m not call](_)"], id="not-a-call"),
        pytest.param("isinstance(m, Note)", ["test[m type 'Note'](@isinstance(m, @Note))"], id="isinstance"),
        pytest.param("is_old(m)", [], id="call"),
        pytest.param("m", [], id="value"),
    ],
)
def test_a_returned_test_keeps_what_it_says(value: str, told: list[str]) -> None:
    """A predicate can be looked into; what a call returns is the callee's business."""
    assert all_told(function(lowered(f"def f(m):\n    return {value}\n")), TEST) == told
    [_, found] = lowered(f"f = lambda m: {value}\n").functions
    assert all_told(found, TEST) == told


def test_the_index_of_tests_is_complete() -> None:
    """FILTER and TEST, in the order of the file."""
    module = lowered("def f(m):\n    if m.a:\n        g(m)\n    return m.b\n")
    assert [module.functions[owner].ops[value][0] for owner, value in module.tests] == [FILTER, FILTER, TEST]
