"""Whatever Python accepts is lowered to a sound IR, or refused: nothing else ever comes out."""

from __future__ import annotations

import ast
import sysconfig
import textwrap
from pathlib import Path

import pytest
from ctxlint.errors import UnreadableError
from ctxlint.ir import lower_module
from ctxlint.syntax import parse_module
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.lint_ir_rules import violations

ROOT = Path(__file__).parents[3]
OWN = sorted((ROOT / "lint").rglob("*.py"))
STANDARD = [
    Path(sysconfig.get_path("stdlib"), name)
    for name in ("ast.py", "argparse.py", "asyncio/base_events.py", "dataclasses.py", "typing.py", "tarfile.py")
]

NAMES = st.sampled_from(["a", "b", "c", "self", "memo", "print", "é"])
ATOMS = st.one_of(NAMES, st.sampled_from(["'x'", "0", "None", "1.5", "b'x'", "...", "f'{a}'", "[]", "{}", "()"]))
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds("{}.k".format, NAMES),
        st.builds("{}[{}]".format, NAMES, inner),
        st.builds("{}[{}:{}]".format, NAMES, inner, inner),
        st.builds("{}[-1]".format, NAMES),
        st.builds("({} + {})".format, inner, inner),
        st.builds("({} % {})".format, inner, inner),
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or not {})".format, inner, inner),
        st.builds("({} == {})".format, inner, inner),
        st.builds("({} in {})".format, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({} := {})".format, NAMES, inner),
        st.builds("(lambda {}, *b, k={}: {})".format, NAMES.filter("b".__ne__), inner, inner),
        st.builds("[{} for {} in {} if {}]".format, inner, NAMES, ATOMS, inner),
        st.builds("{{{}: {} for {} in {}}}".format, inner, inner, NAMES, ATOMS),
        st.builds("{}({}, *{}, k={}, **{})".format, NAMES, inner, inner, inner, inner),
        st.builds("{}.append({})".format, NAMES, inner),
        st.builds("{}.k.append({})".format, NAMES, inner),
        st.builds("{}.get('k', {})".format, NAMES, inner),
        st.builds("getattr({}, 'k', {})".format, NAMES, inner),
        st.builds("isinstance({}, ({}, C))".format, NAMES, NAMES),
        st.builds("{}.t.startswith({})".format, NAMES, inner),
        st.builds("f'{{{}!r:>9}}'".format, NAMES),
        st.builds("[*{}, {}]".format, inner, inner),
        st.builds("{{**{}, 'k': {}, {}: 1}}".format, inner, inner, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("(yield {})".format, inner),
        st.builds("(await {})".format, inner),
        st.builds("(yield from {})".format, inner),
    ),
    max_leaves=6,
)
TARGETS = st.sampled_from(
    ["a", "b, c", "a, *b", "(a, [b, *c])", "a.k", "a['k']", "a[b]", "a[:]", "a[1:b]", "a.k['l'].m", "self.k", "memo"]
)
SIMPLE = st.one_of(
    EXPRESSIONS,
    st.builds("{} = {}".format, TARGETS, EXPRESSIONS),
    st.builds("{} = {} = {}".format, TARGETS, TARGETS, EXPRESSIONS),
    st.builds("{}: {} = {}".format, NAMES, EXPRESSIONS, EXPRESSIONS),
    st.builds("{} += {}".format, st.sampled_from(["a", "a.k", "a['k']", "b[c]"]), EXPRESSIONS),
    st.builds("{} %= {}".format, NAMES, EXPRESSIONS),
    st.builds("return {}".format, EXPRESSIONS),
    st.builds("raise {}".format, EXPRESSIONS),
    st.builds("assert {}".format, EXPRESSIONS),
    st.builds("del {}".format, st.sampled_from(["a", "a.k", "a['k']", "a[:]", "a[1:]", "(a, b)", "[a[0], b]"])),
    st.sampled_from(["pass", "break", "continue", "return", "global a", "nonlocal b", "global memo"]),
    st.sampled_from(
        ["import a.b", "import a.b as c", "from . import a", "from x.y import z as b", "from m import *"]
    ),
)


def _block(heads: st.SearchStrategy[str], bodies: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(lambda head, body: f"{head}:\n{textwrap.indent(body, '    ')}", heads, bodies)


def _compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=4).map("\n".join)
    loops = st.one_of(
        st.builds("for {} in {}".format, TARGETS, EXPRESSIONS),
        st.builds("async for {} in {}".format, TARGETS, EXPRESSIONS),
        st.builds("while {}".format, EXPRESSIONS),
    )
    tests = st.builds("if {}".format, EXPRESSIONS)
    functions = st.sampled_from(
        ["def a(self, b, /, c=memo, *d, e: int = 1, **f)", "async def b(a)", "@memo\ndef c(*a) -> 'str'", "def f()"]
    )
    classes = st.sampled_from(["class a", "@memo(a)\nclass b(c, a.k, k=a)"])
    withs = st.builds("with {} as {}, {}".format, EXPRESSIONS, TARGETS.filter(lambda t: "*" not in t), EXPRESSIONS)
    patterns = st.sampled_from(
        [
            "a",
            "_",
            "1 | 'x'",
            "{'k': b, **c}",
            "[a, *_]",
            "(a, *b, c)",
            "C(a, k=b)",
            "str() as b",
            "None",
            "[a] | (a, _)",
        ]
    )
    matches = st.builds("case {} if {}".format, patterns, EXPRESSIONS)
    return st.one_of(
        _block(loops, body),
        st.builds("{}\nelse:\n    pass\n{}".format, _block(loops, body), inner),
        _block(tests, body),
        st.builds(
            "{}\n{}\n{}".format,
            *[_block(heads, body) for heads in (tests, tests.map("el{}".format), st.just("else"))],
        ),
        _block(st.one_of(functions, classes), body),
        _block(withs, body),
        st.builds(
            "{}\n{}\n{}".format,
            _block(st.just("try"), body),
            _block(st.sampled_from(["except", "except* a", "except (a, b) as c"]), body),
            _block(st.sampled_from(["else", "finally"]), body),
        ),
        _block(st.builds("match {}".format, EXPRESSIONS), _block(matches, body)),
    )


PROGRAMS = st.lists(st.recursive(SIMPLE, _compound, max_leaves=12), min_size=1, max_size=5).map("\n".join)


def _breaches(text: str) -> list[str]:
    try:
        module = lower_module(parse_module(text, "main.py"), path="main.py", source=text)
    except UnreadableError:
        return []
    return violations(module, text.count("\n") + 1)


@pytest.mark.parametrize("path", [*OWN, *STANDARD], ids=lambda path: path.name)
def test_real_code_is_sound(path: Path) -> None:
    """Our own code and the densest of the standard library."""
    text = path.read_text(encoding="utf-8")
    assert isinstance(parse_module(text, "main.py"), ast.Module)
    assert _breaches(text) == []


@given(PROGRAMS)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_any_mixture_of_syntax_is_sound(text: str) -> None:
    """Statements of every kind, nested in each other, inside functions and outside."""
    assert _breaches(text) == []


@given(PROGRAMS)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_mixture_of_syntax_in_a_method_is_sound(text: str) -> None:
    """The same inside a method with nested functions, where names are captured."""
    body = textwrap.indent(text, "            ")
    assert _breaches(f"class M:\n    def m(self, a, b):\n        def inner(c):\n{body}\n        return inner\n") == []


@given(st.data())
@settings(max_examples=100, deadline=None, derandomize=True)
def test_real_code_cut_and_sewn_is_sound(data: st.DataObject) -> None:
    """Lines of real code taken out, doubled and moved."""
    lines = data.draw(st.sampled_from(OWN)).read_text(encoding="utf-8").splitlines()
    for _ in range(data.draw(st.integers(1, 4))):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(lines))] * 2)))
        place = data.draw(st.integers(0, len(lines)))
        cut = lines[start:end]
        lines = data.draw(st.sampled_from([lines[:start] + lines[end:], lines[:place] + cut + lines[place:]]))
    assert _breaches("\n".join(lines)) == []
