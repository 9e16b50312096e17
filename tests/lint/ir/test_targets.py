"""Assignment, deletion, and calls that change what they get: which value a name has afterwards."""

from __future__ import annotations

import textwrap

import pytest
from ctxlint.ir.ops import CALL, PARAM, SET_ATTR, SET_CAPTURE, SET_GLOBAL, SET_ITEM

from tests.support.lint_ir import all_told, function, lowered, told


def _returns(body: str, parameters: str = "a, b, c") -> str:
    return told(f"async def f({parameters}):\n" + textwrap.indent(body, "    "))


ASSIGNMENTS = [
    pytest.param("x = a\nreturn x", "a", id="name"),
    pytest.param("x = y = a\nreturn x + y", "a + a", id="two-targets"),
    pytest.param("x: str = a\nreturn x", "a", id="annotated"),
    pytest.param("x = a\nx: str\nreturn x", "a", id="annotation-alone"),
    pytest.param("x, y = a\nreturn y", "a[1]", id="pair"),
    pytest.param("[x, y] = a\nreturn y", "a[1]", id="list"),
    pytest.param("(x, (y, z)) = a\nreturn z", "a[1][1]", id="nested-pair"),
    pytest.param("x, y = a, b\nreturn y", "{0: a, 1: b}[1]", id="pair-of-a-pair"),
    pytest.param("x, *y = a\nreturn y", "a[:]", id="rest"),
    pytest.param("*x, _ = a\nreturn x", "a[:]", id="rest-before-the-last"),
    pytest.param("x, *_, y = a\nreturn y", "a[?]", id="position-behind-a-star"),
    pytest.param("x = a\nx = b\nreturn x", "b", id="again"),
    pytest.param("x = a\nx += b\nreturn x", "a + b", id="augmented-sum"),
    pytest.param("x = a\nx |= b\nreturn x", "a + b", id="augmented-union"),
    pytest.param("x = '%s'\nx %= b\nreturn x", "f{'%s', b}", id="augmented-format"),
    pytest.param("x = a\ndel x\nreturn a", "a", id="deleted-name"),
    pytest.param("import x\nreturn x", "<x>", id="import"),
    pytest.param("import x.y\nreturn x", "<x>", id="import-below-a-package"),
    pytest.param("import x.y as z\nreturn z", "<x.y>", id="import-as"),
    pytest.param("from x.y import z\nreturn z", "<x.y:z>", id="import-from"),
    pytest.param("from ..x import y as z\nreturn z", "<..x:y>", id="import-from-above"),
    pytest.param("from . import y\nreturn y", "<.:y>", id="import-from-here"),
]


@pytest.mark.parametrize(("body", "term"), ASSIGNMENTS)
def test_a_name_holds_what_it_was_given_last(body: str, term: str) -> None:
    """Targets take a value apart by position."""
    assert _returns(body) == term


PARTS = [
    pytest.param("a.k = b\nreturn a", "a<.k=b>", id="attribute"),
    pytest.param("a.k = b\nx = a.k\nreturn x", "b", id="attribute-read-again"),
    pytest.param("a['k'] = b\nreturn a", "a<['k']=b>", id="key"),
    pytest.param("a[0] = b\nreturn a", "a<[0]=b>", id="position"),
    pytest.param("a[-1] = b\nreturn a", "a<[?]=b>", id="position-from-the-end"),
    pytest.param("a[c] = b\nreturn a", "a<[?]=b>", id="unknown-key"),
    pytest.param("a[:] = b\nreturn a", "a<['[:]']=b>", id="whole"),
    pytest.param("a[:2] = b\nreturn a", "a<['[a:b]']=b>", id="part"),
    pytest.param("a.k.l = b\nreturn a", "a<.k=a.k<.l=b>>", id="attribute-of-an-attribute"),
    pytest.param("a['k']['l'] = b\nreturn a", "a<['k']=a['k']<['l']=b>>", id="key-of-a-key"),
    pytest.param("a.k['l'] = b\nreturn a", "a<.k=a.k<['l']=b>>", id="key-of-an-attribute"),
    pytest.param("x = a\nx['k'] = b\nreturn a", "a<['k']=b>", id="by-another-name"),
    pytest.param("a['k'] += b\nreturn a", "a<['k']=a['k'] + b>", id="augmented-key"),
    pytest.param("a.k += b\nx = a.k\nreturn x", "a.k + b", id="augmented-attribute"),
    pytest.param(
        "for a.k in b:\n    pass\nreturn a",
        "exit1(loop1(a; loop1<.k=each b>) | loop1(a; loop1<.k=each b>)<.k=each b>)",
        id="attribute-as-loop-target",
    ),
    pytest.param("with b as a['k']:\n    pass\nreturn a", "a<['k']=b>", id="key-as-with-target"),
    pytest.param("x, a['k'] = b\nreturn a", "a<['k']=b[1]>", id="key-in-a-pair"),
    pytest.param("del a['k']\nreturn a", "a<del 'k'>", id="deleted-key"),
    pytest.param("del a[c]\nreturn a", "a<del ?>", id="deleted-unknown-key"),
    pytest.param("del a[:]\nreturn a", "a<del '[:]'>", id="deleted-whole"),
    pytest.param("del a[1:]\nreturn a", "a<del ?>", id="deleted-part"),
    pytest.param("del a['k'], (b['l'])\nreturn a, b", "{0: a<del 'k'>, 1: b<del 'l'>}", id="two-deletions"),
    pytest.param("del a.k['l']\nreturn a", "a<.k=a.k<del 'l'>>", id="deleted-key-of-an-attribute"),
]


@pytest.mark.parametrize(("body", "term"), PARTS)
def test_an_object_is_another_value_after_a_change(body: str, term: str) -> None:
    """Every name of the same object sees the change, and so does what holds the object."""
    assert _returns(body) == term


CALLS = [
    pytest.param("a.append(b)\nreturn a", "a~self", id="changing-method"),
    pytest.param("a.write_text(b)\nreturn a", "a~self", id="first-word-says-it"),
    pytest.param("a._add(b)\nreturn a", "a~self", id="private-changing-method"),
    pytest.param("a.strip()\nreturn a", "a", id="reading-method"),
    pytest.param("x = a.paint(b)\nreturn a", "a", id="unknown-method-for-its-result"),
    pytest.param("a.paint(b)\nreturn a", "a~self", id="unknown-method-for-its-effect"),
    pytest.param("await a.paint(b)\nreturn a", "a~self", id="awaited-for-its-effect"),
    pytest.param("a.paint(b)\nreturn b", "b~0", id="argument"),
    pytest.param("a.paint(c, b)\nreturn b", "b~1", id="second-argument"),
    pytest.param("a.paint(*c, b)\nreturn b", "b~0", id="argument-behind-a-star"),
    pytest.param("a.paint(k=b)\nreturn b", "b~k", id="keyword"),
    pytest.param("a.paint(**b)\nreturn b", "b", id="keywords-are-copied"),
    pytest.param("a.get(b)\nreturn b", "b", id="argument-of-a-reading-method"),
    pytest.param("len(a)\nreturn a", "a", id="function-that-changes-nothing"),
    pytest.param("c(a)\nreturn a", "a~0", id="unknown-function"),
    pytest.param("a.k.append(b)\nx = a.k\nreturn x", "a.k~self", id="attribute"),
    pytest.param("a['k'].append(b)\nreturn a", "a<['k']=a['k']~self>", id="element"),
    pytest.param("x = a\nx.append(b)\nreturn a", "a~self", id="by-another-name"),
    pytest.param("a.k = b\nc(a)\nx = a.k\nreturn x", "a<.k=b>~0.k", id="what-was-known-of-an-argument-is-forgotten"),
    pytest.param(
        "a.k = b\na.paint()\nx = a.k\nreturn x", "a<.k=b>~self.k", id="what-was-known-of-a-receiver-is-forgotten"
    ),
]


@pytest.mark.parametrize(("body", "term"), CALLS)
def test_what_a_call_may_change_is_another_value_behind_it(body: str, term: str) -> None:
    """Whether it really changes is the solver's to say."""
    assert _returns(body) == term


def test_self_is_one_value_and_its_fields_are_written() -> None:
    """A method keeps its receiver, so that every field write is a write to the object."""
    module = lowered(
        """
        class Memory:
            def add(self, note):
                self.note = note
                self.notes.append(note)
                self.store(self)
                return self
        """
    )
    found = function(module, "Memory.add")
    assert [found.ops[value] for value in found.returns] == [(PARAM, 0, "self")]
    assert all_told(found, SET_ATTR) == ["self<.note=note>", "self<.notes=self.notes~self>"]


def test_a_static_method_has_no_receiver() -> None:
    """Its first parameter is like any other."""
    module = lowered("class M:\n    @staticmethod\n    def m(a):\n        a.append(1)\n        return a\n")
    assert (
        told("class M:\n    @staticmethod\n    def m(a):\n        a.append(1)\n        return a\n", "M.m") == "a~self"
    )
    assert function(module, "M.m").decorators == ("staticmethod",)


def test_a_global_is_written_and_then_known() -> None:
    """The function knows what it put there; others read the name."""
    module = lowered("def f(a):\n    global memo, total\n    memo = a\n    total += 1\n    return memo\n")
    assert all_told(function(module), SET_GLOBAL) == ["global memo = a", "global total = @total + 1"]
    assert told("def f(a):\n    global memo\n    memo = a\n    return memo\n") == "a"


def test_a_nonlocal_is_written_in_its_owner() -> None:
    """The write names the function that owns the variable."""
    module = lowered(
        """
        def f(a):
            memo = ""
            def add(part):
                nonlocal memo
                memo = memo + part
            return add
        """
    )
    inner, outer = function(module, "f.add"), function(module)
    assert all_told(inner, SET_CAPTURE) == ["^memo = ^memo + part"]
    [written] = [op for op in inner.ops if op[0] == SET_CAPTURE]
    assert module.functions[written[2]] is outer
    assert list(outer.variables) == ["memo"]


@pytest.mark.parametrize(
    ("body", "name"),
    [
        pytest.param("x = a.ask()", "x", id="variable"),
        pytest.param("self.x = a.ask()", "self.x", id="attribute"),
        pytest.param("a['x'] = a.ask()", "a['x']", id="key"),
        pytest.param("a.b['x'] = a.ask()", "a.b['x']", id="key-of-an-attribute"),
        pytest.param("x = y = a.ask()", "x", id="first-of-two"),
        pytest.param("if (x := a.ask()): pass", "x", id="walrus"),
        pytest.param("with a.ask() as x: pass", "x", id="with"),
        pytest.param("return a.ask()", "", id="not-assigned"),
    ],
)
def test_a_value_is_called_what_it_was_first_assigned_to(body: str, name: str) -> None:
    """A report shows the name that the author gave."""
    found = function(lowered(f"def f(self, a):\n    {body}\n"))
    [call] = [value for value, op in enumerate(found.ops) if op[0] == CALL]
    assert found.names.get(call, "") == name


def test_a_key_that_is_set_keeps_its_value_apart() -> None:
    """Two keys are two operations on two states of the object."""
    found = function(lowered("def f(a, b, c):\n    a['x'] = b\n    a['y'] = c\n"))
    assert all_told(found, SET_ITEM) == ["a<['x']=b>", "a<['x']=b><['y']=c>"]


@pytest.mark.parametrize(
    ("body", "term"),
    [
        pytest.param("*x = a\nreturn x", "a", id="star-alone"),
        pytest.param("nonlocal x\nx = a\nreturn x", "a", id="nonlocal-of-nobody"),
    ],
)
def test_what_only_the_compiler_refuses_is_lowered(body: str, term: str) -> None:
    """The parser accepts more than Python runs; a file is not lost for it."""
    assert _returns(body) == term


def test_a_name_that_was_given_another_object_does_not_change_with_the_first() -> None:
    """Two names of one object part when one of them is assigned."""
    assert _returns("x = a\nif c:\n    x = b\n    a.append(1)\n    return x") == "b"
    assert _returns("x = a\nif c:\n    a.append(1)\n    return x") == "a~self"


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        pytest.param("a[0]" + ".pop()[0]" * 40, 40, id="chain-of-elements"),
        pytest.param("a.k" + ".pop().k" * 40, 40, id="chain-of-attributes"),
        pytest.param("b(a)[0] += 1", 1, id="augmented-element-of-a-call"),
        pytest.param("b(a).k += 1", 1, id="augmented-attribute-of-a-call"),
        pytest.param("a[b(c)] += 1", 1, id="augmented-key-by-a-call"),
        pytest.param("b(a)[0].append(c)", 2, id="element-of-a-call"),
        pytest.param("a[b(c)].append(1)", 2, id="element-by-a-call"),
        pytest.param("(a or b(c)).k.append(1)", 2, id="attribute-of-a-choice"),
        pytest.param("a[b(c)].k = 1", 1, id="assigned-attribute"),
        pytest.param("del b(a)[0]['k']", 1, id="deleted-key"),
    ],
)
def test_what_is_written_once_is_lowered_once(body: str, calls: int) -> None:
    """A target that is read and written, or a receiver that is changed, makes each of its calls one operation."""
    found = function(lowered(f"def f(a, b, c):\n    {body}\n"))
    assert sum(op[0] == CALL for op in found.ops) == calls


def test_a_chain_of_changes_grows_with_its_length() -> None:
    """Twice the chain is twice the operations, not their square."""
    sizes = [len(function(lowered(f"def f(a):\n    a[0]{'.pop()[0]' * n}\n")).ops) for n in (20, 40)]
    assert sizes[1] <= 2 * sizes[0]


HUGE = "0x" + "f" * 5000


@pytest.mark.parametrize(
    ("body", "term"),
    [
        pytest.param(f"a[{HUGE}] = b\nreturn a", "a<[?]=b>", id="assigned-key"),
        pytest.param(f"return a[{HUGE}]", "a[?]", id="read-key"),
        pytest.param(f"return {{{HUGE}: a}}", "{[]: a}", id="key-of-a-display"),
        pytest.param(f"c({HUGE})['k'] = b\nreturn b", "b", id="number-in-a-holder"),
        pytest.param(f"return {HUGE}", "", id="constant"),
        pytest.param("del a[1.5]\nreturn a", "a<del ?>", id="deleted-number-that-is-no-position"),
        pytest.param("del a[...]\nreturn a", "a<del ?>", id="deleted-ellipsis"),
    ],
)
def test_a_key_that_cannot_be_written_is_not_known(body: str, term: str) -> None:
    """Python refuses to print an int of thousands of digits; nothing asks it to."""
    assert term in _returns(body)


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("def memo(): pass", id="function"),
        pytest.param("class memo: pass", id="class"),
        pytest.param("import memo", id="import"),
        pytest.param("from a import memo", id="import-from"),
        pytest.param("for memo in a: pass", id="loop"),
        pytest.param("with a as memo: pass", id="with"),
        pytest.param("match a:\n        case [memo]: pass", id="capture"),
        pytest.param("match a:\n        case {**memo}: pass", id="rest-of-a-mapping"),
        pytest.param("try: a()\n    except E as memo: pass", id="handler"),
        pytest.param("(memo := a)", id="walrus"),
    ],
)
def test_whatever_binds_a_global_writes_it(statement: str) -> None:
    """`global` says whose the name is, for every kind of statement."""
    found = function(lowered(f"def f(a):\n    global memo\n    {statement}\n"))
    assert [op[1] for op in found.ops if op[0] == SET_GLOBAL] == ["memo"]


def test_a_comprehension_does_not_write_the_global_of_its_name() -> None:
    """Its names are its own."""
    found = function(lowered("def f(a):\n    global memo\n    [memo for memo in a]\n    memo = a\n"))
    assert all_told(found, SET_GLOBAL) == ["global memo = a"]
