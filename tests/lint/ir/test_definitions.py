"""Functions, classes and modules: what a user of the IR finds in their tables."""

from __future__ import annotations

import pytest
from ctxlint.errors import UnreadableError
from ctxlint.ir import ModuleIR, Parameter, lower_module
from ctxlint.ir.ops import CALL, CAPTURE, CLASS, FUNC
from ctxlint.ir.vocabulary import speaks
from ctxlint.syntax import parse_module

from tests.support.lint_ir import all_told, function, lowered, term, told


def _names(module: ModuleIR) -> list[str]:
    return [each.qualname for each in module.functions[1:]]


def test_an_empty_file_is_a_module_without_anything() -> None:
    """The module body is function 0, always."""
    [body] = lowered("").functions
    assert (body.name, body.qualname, body.owner, body.span) == ("<module>", "main.py", -1, (1, 0, 1, 0))
    assert (body.returns, body.variables, len(body.ops)) == ((), {}, 1)


def test_a_module_keeps_the_last_value_of_each_name() -> None:
    """Imports, functions, classes and constants alike; a deleted name is gone."""
    module = lowered("import a\nx = 1\nx = 2\ngone = 3\ndel gone\nclass C: pass\ndef f(): pass\n")
    [body, _] = module.functions
    held = {name: term(body, value) for name, [value] in body.variables.items()}
    assert held == {"a": "<a>", "x": "2", "C": "<class 0>", "f": "<function 1>"}


def test_every_definition_has_a_number_an_owner_and_a_qualified_name() -> None:
    """Nested functions, methods and lambdas are found by the function whose body defines them."""
    module = lowered(
        """
        def outer():
            def inner():
                return lambda: 1
            class Local:
                async def method(self):
                    def deep(): pass
        class Memory:
            def save(self): pass
            key = lambda self: 2
        """
    )
    owners = {each.qualname: module.functions[each.owner].qualname for each in module.functions[1:]}
    assert owners == {
        "outer": "main.py",
        "outer.inner": "outer",
        "outer.inner.<lambda>": "outer.inner",
        "outer.Local.method": "outer",
        "outer.Local.method.deep": "outer.Local.method",
        "Memory.save": "main.py",
        "Memory.<lambda>": "main.py",
    }


def test_parameters_stand_in_the_order_of_a_call() -> None:
    """Kinds, annotations and defaults; a default is a value of the function around."""
    module = lowered("def f(a, /, b: str = 'x', *rest: int, c, d: list[Note] | None = None, **more): pass\n")
    body = module.functions[0]
    found = [(p.name, p.annotation, p.kind, term(body, p.default)) for p in function(module).parameters]
    assert found == [
        ("a", "", "", "_"),
        ("b", "str", "", "'x'"),
        ("rest", "int", "*", "_"),
        ("c", "", "", "_"),
        ("d", "list Note", "", "None"),
        ("more", "", "**", "_"),
    ]
    assert told("def f(a, /, b=1, *rest, c, **more):\n    return a, b, rest, c, more") == (
        "{0: a, 1: b, 2: rest, 3: c, 4: more}"
    )


def test_a_lambda_has_parameters_and_returns_its_body() -> None:
    """It is a function like any other."""
    module = lowered("f = lambda a, b=MEMO: a + b\n")
    body, found = module.functions
    assert (found.name, found.returns and term(found, found.returns[0])) == ("<lambda>", "a + b")
    assert [(p.name, term(body, p.default)) for p in found.parameters] == [("a", "_"), ("b", "@MEMO")]
    assert found.parameters[0] == Parameter("a")


@pytest.mark.parametrize(
    ("annotation", "text"),
    [
        pytest.param("str", "str", id="name"),
        pytest.param("a.b.C", "a.b.C", id="dotted"),
        pytest.param("'Note'", "Note", id="quoted"),
        pytest.param("list[Note]", "list Note", id="generic"),
        pytest.param("Note | None", "Note", id="union"),
        pytest.param("dict[str, list[Note]]", "dict str list Note", id="nested"),
        pytest.param("Callable[[A], B]", "Callable B", id="callable"),
        pytest.param("Annotated[Note, 3]", "Annotated Note", id="metadata"),
        pytest.param("f()", "", id="call"),
    ],
)
def test_an_annotation_is_the_names_in_it(annotation: str, text: str) -> None:
    """Outermost first; what is no name is left out."""
    found = function(lowered(f"def f(a: {annotation}) -> {annotation}: pass\n"))
    assert (found.parameters[0].annotation, found.annotation) == (text, text)


def test_decorators_are_named_and_evaluated() -> None:
    """A call's arguments do not count for the name; what has no name is an empty text."""
    module = lowered("@a.b\n@c(d())\n@e[0]\ndef f(): pass\n@g\nclass C: pass\n")
    assert function(module).decorators == ("a.b", "c", "")
    assert all_told(module.functions[0], CALL) == ["@d()", "@c(@d())"]


@pytest.mark.parametrize(
    ("body", "abstract"),
    [
        pytest.param("pass", True, id="pass"),
        pytest.param("...", True, id="ellipsis"),
        pytest.param("'doc'", True, id="docstring"),
        pytest.param("'doc'\n    ...", True, id="docstring-and-ellipsis"),
        pytest.param("raise NotImplementedError", True, id="raise"),
        pytest.param("return None", False, id="return"),
        pytest.param("'doc'\n    return 1", False, id="docstring-and-return"),
        pytest.param("print(1)\n    raise E", False, id="does-something-first"),
    ],
)
def test_a_body_that_does_nothing_is_abstract(body: str, abstract: bool) -> None:
    """An override is the place to look."""
    assert function(lowered(f"def f(self):\n    {body}\n")).abstract is abstract


def test_a_class_has_methods_attributes_annotations_and_bases() -> None:
    """Attributes are values of the function that holds the class statement."""
    module = lowered(
        """
        class Memory(base.Store, Generic[T], make(), metaclass=Meta):
            'doc'
            prompt: str = PROMPT
            limit: int
            size = 3
            def save(self): pass
            async def load(self): pass
            if size:
                extra = 4
        """
    )
    [kind] = module.classes
    body = module.functions[0]
    assert (kind.name, kind.qualname, kind.owner) == ("Memory", "Memory", 0)
    assert kind.bases == ("base.Store", "Generic")
    assert kind.annotations == {"prompt": "str", "limit": "int"}
    held = {name: term(body, value) for name, value in kind.attributes.items()}
    assert held == {
        "prompt": "@PROMPT",
        "size": "3",
        "save": "<function 1>",
        "load": "<function 2>",
        "extra": "4",
    }
    assert {name: module.functions[index].name for name, index in kind.methods.items()} == {
        "save": "save",
        "load": "load",
    }
    assert [each.class_index for each in module.functions] == [-1, 0, 0]


def test_a_setter_and_an_overload_do_not_hide_the_method() -> None:
    """The method that runs on a read or a call is the one that is found by name."""
    module = lowered(
        """
        class M:
            @property
            def text(self): return repr(self)
            @text.setter
            def text(self, value): self.a = value
            @overload
            def get(self, k: str) -> str: ...
            def get(self, k): return k
        """
    )
    [kind] = module.classes
    methods = {name: module.functions[index] for name, index in kind.methods.items()}
    assert [term(methods["text"], value) for value in methods["text"].returns] == ["@repr(self)"]
    assert not methods["get"].abstract


def test_names_of_a_class_body_are_not_names_of_its_methods() -> None:
    """A method reads the module's name, not the class attribute."""
    source = "size = 1\nclass M:\n    size = 2\n    def m(self):\n        x = size\n        return x\n"
    assert told(source, "M.m") == "@size"
    local = "def f(a):\n    class M:\n        size = 2\n        def m(self):\n            return size, a\n"
    assert told(local, "f.M.m") == "{0: @size, 1: ^a}"


@pytest.mark.parametrize(
    ("source", "name", "captured"),
    [
        pytest.param("def f(a):\n    def g():\n        return a\n", "f.g", ["a"], id="parameter"),
        pytest.param("def f():\n    def g():\n        return x\n    x = h()\n", "f.g", ["@h()"], id="assigned-later"),
        pytest.param(
            "def f(a):\n    x = a\n    x = 1\n    g = lambda: x\n", "f.<lambda>", ["a", "1"], id="every-value"
        ),
        pytest.param(
            "def f(a):\n    for x in a:\n        g = lambda: x\n",
            "f.<lambda>",
            ["each a", "exit1(each a)"],
            id="loop-target",
        ),
        pytest.param("def f(a):\n    return [lambda: x for x in a]\n", "f.<lambda>", ["each a"], id="comprehension"),
        pytest.param("def f(a):\n    import x\n    return lambda: x\n", "f.<lambda>", ["<x>"], id="import"),
        pytest.param(
            "def f(a):\n    def x(): pass\n    return lambda: x\n", "f.<lambda>", ["<function 2>"], id="function"
        ),
        pytest.param("def f(a):\n    def g(b):\n        return lambda: a\n", "f.g.<lambda>", ["a"], id="two-levels"),
    ],
)
def test_a_nested_function_captures_variables(source: str, name: str, captured: list[str]) -> None:
    """The capture names the owner, and the owner keeps all values of that variable."""
    module = lowered(source)
    inner = function(module, name)
    [(_, variable, owner)] = [op for op in inner.ops if op[0] == CAPTURE]
    outer = module.functions[owner]
    assert outer is function(module)
    assert [term(outer, value) for value in outer.variables[variable]] == captured


def test_a_name_is_the_nearest_functions_or_the_modules() -> None:
    """Own, enclosing, module: in this order."""
    source = """
        a = b = c = 1
        def f(b, c):
            def g(c):
                x = a, b, c
                return x
    """
    assert told(source, "f.g") == "{0: @a, 1: ^b, 2: c}"


def test_a_global_declaration_passes_the_enclosing_function_by() -> None:
    """`global` means the module's variable."""
    assert told("def f(a):\n    def g():\n        global a\n        return a\n", "f.g") == "@a"


def test_what_is_never_reached_is_not_there() -> None:
    """Neither calls nor definitions behind a jump are lowered."""
    module = lowered("def f(a):\n    return a\n    b()\n    def g(): pass\n    class C: pass\n")
    assert _names(module) == ["f"]
    assert module.classes == ()
    assert [op[0] for op in function(module).ops if op[0] in {CALL, FUNC, CLASS}] == []


def test_indexes_lead_to_the_operations() -> None:
    """Nothing has to be searched for."""
    module = lowered(
        """
        from helpers import *
        from .more import *
        def f(a, g):
            a.ask(g, a.note, helper, json.dumps, key=lambda: 1)
            return len(state["summary"]), a.get("kind"), MEMO
        """
    )
    found = function(module)

    def at(index: dict[str, tuple[tuple[int, int], ...]], name: str) -> list[str]:
        return [term(module.functions[owner], value) for owner, value in index[name]]

    ask = "a.ask(g, a.note, @helper, @json.dumps, key=<function 2>)"
    assert module.star_imports == ("helpers", ".more")
    assert at(module.calls, "ask") == [ask]
    assert sorted(module.calls) == ["ask", "get", "len"]
    assert sorted(module.mentions) == ["<2>", "dumps", "helper", "note"]
    assert at(module.mentions, "<2>") == [ask]
    assert at(module.attributes, "note") == ["a.note"]
    assert at(module.globals_read, "MEMO") == ["@MEMO"]
    assert at(module.keys, "summary") == ["@state['summary']"]
    assert [text.rpartition(".")[2] for text in at(module.keys, "kind")] == ["get('kind')"]
    assert found.name == "f"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("x = 'Summarize this'\n", True, id="prompt"),
        pytest.param("def compactHistory(): pass\n", True, id="name"),
        pytest.param("# a digest of it\n", True, id="comment"),
        pytest.param("x = 'tell me a joke'\n", False, id="other"),
        pytest.param("", False, id="empty"),
    ],
)
def test_a_file_speaks_when_it_holds_a_word_of_summarizing(source: str, expected: bool) -> None:
    """Without one, nothing in the file makes a call a summarizer."""
    assert speaks(source.encode()) is expected


def test_deep_nesting_is_refused_and_not_fatal() -> None:
    """What the parser accepts and the lowering cannot walk has a reason."""
    source = "x = f" + ".g()" * 1_400
    tree = parse_module(source, "main.py")
    with pytest.raises(UnreadableError, match="nested too deeply") as caught:
        lower_module(tree, path="main.py", source=source)
    assert len(caught.value.reason.splitlines()) == 1


def test_a_class_in_a_class_is_called_by_both() -> None:
    """Two inner classes of one name stay apart."""
    module = lowered(
        "class A:\n    class B:\n        def m(self): pass\nclass C:\n    class B:\n        def m(self): pass\n"
    )
    assert [kind.qualname for kind in module.classes] == ["A", "A.B", "C", "C.B"]
    assert [found.qualname for found in module.functions[1:]] == ["A.B.m", "C.B.m"]


def test_what_a_class_statement_calls_is_lowered() -> None:
    """Bases and keywords are expressions."""
    module = lowered("class A(base(), B[int], c.D, metaclass=meta(), k=1): pass\n")
    assert sorted(module.calls) == ["base", "meta"]


def test_a_variable_is_captured_from_any_depth() -> None:
    """The owner knows it, however far down it is read."""
    source = "def a(x):\n    def b():\n        def c():\n            def d():\n                return x\n"
    assert list(function(lowered(source), "a").variables) == ["x"]


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("raise E from f(a)", id="cause"),
        pytest.param("assert a, f(a)", id="message"),
        pytest.param("del a[f(a)]", id="deleted-key"),
        pytest.param("del a[f(a):]", id="deleted-part"),
        pytest.param("a[f(a):] = a", id="assigned-part"),
        pytest.param("a[-f(a)] = a", id="assigned-position-from-the-end"),
        pytest.param("a[-f(a)]", id="position-from-the-end"),
        pytest.param("a[::f(a)]", id="step"),
        pytest.param("a[1:f(a), 2]", id="bound-in-a-tuple"),
        pytest.param("f'{a:{f(a)}}'", id="width"),
        pytest.param("{-f(a): 1}", id="key-with-a-sign"),
    ],
)
def test_a_call_is_lowered_wherever_it_stands(statement: str) -> None:
    """Once, as what it is."""
    module = lowered(f"def f(a):\n    {statement}\n")
    assert [len(places) for name, places in module.calls.items() if name == "f"] == [1]
