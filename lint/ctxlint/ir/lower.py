"""Definitions, and the lowering of a whole file: the module body first, then every function it leads to.

class Memory:                            ClassIR Memory, methods {"save": 1}
    kind: str = "summary"                attributes {"kind": value}, annotations {"kind": "str"}
    def save(self, text): ...            FunctionIR 1, lowered once the module's names are known
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ctxlint.errors import UnreadableError
from ctxlint.ir import switches
from ctxlint.ir.annotations import annotation_text
from ctxlint.ir.builder import EXPRESSIONS, STATEMENTS, Builder
from ctxlint.ir.calls import lower_call
from ctxlint.ir.comprehensions import lower_comprehension
from ctxlint.ir.conditions import dotted
from ctxlint.ir.expressions import test_value
from ctxlint.ir.ledger import Index, Ledger
from ctxlint.ir.module import ClassIR, Header, ModuleIR, Parameter, Where
from ctxlint.ir.ops import CLASS, FUNC, PARAM
from ctxlint.ir.reached import options_of
from ctxlint.ir.statements import visible

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def lower_module(tree: ast.Module, *, path: str, source: str) -> ModuleIR:
    """The IR of one file.

    Raises:
        UnreadableError: When expressions or definitions are nested deeper than Python can recurse.
    """
    ledger = Ledger(source)
    try:
        _module_body(ledger, tree, path)
        while ledger.later:
            # In order, so that an enclosing function has bound its names before what it encloses looks for them.
            pending, ledger.later = ledger.later, []
            for work in pending:
                work()
        # What nested functions capture is only known when all of them are lowered.
        for finish in ledger.last:
            finish()
        # They lead back to the ledger: without this the tree would live until the next garbage collection.
        ledger.last.clear()
    except RecursionError as error:
        raise UnreadableError("the code is nested too deeply to analyse") from error
    return ModuleIR(
        path=path,
        functions=tuple(function for function in ledger.functions if function is not None),
        classes=tuple(ledger.classes),
        star_imports=tuple(ledger.stars),
        renamed=tuple(ledger.renamed),
        calls=_frozen(ledger.calls),
        mentions=_frozen(ledger.mentions),
        attributes=_frozen(ledger.attributes),
        globals_read=_frozen(ledger.globals_read),
        keys=_frozen(ledger.keys),
        tests=tuple(ledger.tests),
    )


def _frozen(index: Index) -> dict[str, tuple[Where, ...]]:
    return {name: tuple(places) for name, places in index.items()}


def _module_body(ledger: Ledger, tree: ast.Module, path: str) -> None:
    ledger.functions.append(None)
    builder = Builder(ledger, 0, None)
    builder.block(tree.body)
    last = (tree.body[-1].end_lineno or 1) if tree.body else 1
    header = Header("<module>", path, (1, 0, last, 0), -1)
    _finish_later(ledger, builder, header)


def _finish_later(ledger: Ledger, builder: Builder, header: Header) -> None:
    def finish() -> None:
        ledger.functions[builder.index] = builder.finish(header)

    ledger.last.append(finish)


def declare(builder: Builder, node: AnyFunction, class_index: int = -1) -> int:
    """The index of a function whose body is lowered later."""
    ledger = builder.ledger
    index = len(ledger.functions)
    ledger.functions.append(None)
    name, annotation, abstract = "<lambda>", "", False
    decorators: tuple[str, ...] = ()
    if not isinstance(node, ast.Lambda):
        name = node.name
        decorators = _decorators(builder, node.decorator_list) if node.decorator_list else ()
        annotation = annotation_text(node.returns)
        abstract = _is_abstract(visible(node.body))
    header = Header(
        name,
        f"{builder.title}.{name}" if builder.title else name,
        ledger.span(node),
        builder.index,
        class_index,
        _parameters(builder, node.args),
        decorators,
        annotation,
        abstract,
    )
    ledger.later.append(lambda: _body(builder, node, header, index))
    return index


def _decorators(builder: Builder, nodes: Sequence[ast.expr]) -> tuple[str, ...]:
    texts: list[str] = []
    for node in nodes:
        builder.expr(node)
        texts.append(dotted(node.func) if isinstance(node, ast.Call) else dotted(node))
    return tuple(texts)


def _parameters(builder: Builder, args: ast.arguments) -> tuple[Parameter, ...]:
    plain = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    defaults += args.defaults
    result = [_parameter(builder, arg, default) for arg, default in zip(plain, defaults, strict=True)]
    if args.vararg is not None:
        result.append(_parameter(builder, args.vararg, None, "*"))
    if args.kwonlyargs:
        named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
        result += [_parameter(builder, arg, default) for arg, default in named]
    if args.kwarg is not None:
        result.append(_parameter(builder, args.kwarg, None, "**"))
    return tuple(result)


def _parameter(builder: Builder, arg: ast.arg, default: ast.expr | None, kind: str = "") -> Parameter:
    annotation = arg.annotation
    value = 0 if default is None else builder.expr(default)
    return Parameter(arg.arg, annotation_text(annotation) if annotation is not None else "", value, kind)


_EMPTY = frozenset({ast.Pass, ast.Raise, ast.Expr})


def _is_abstract(body: Sequence[ast.stmt]) -> bool:
    """Nothing is done; what stands behind a `raise` only makes the function a generator."""
    if body and type(body[0]) not in _EMPTY:
        return False
    match body:
        case (
            []
            | [ast.Pass()]
            | [ast.Raise(), *_]
            | [ast.Expr(value=ast.Constant() | ast.Yield(value=None | ast.Constant()))]
        ):
            return True
        case [ast.Expr(value=ast.Constant()) | ast.Pass(), *rest]:
            return _is_abstract(rest)
        case _:
            return False


def _body(outer: Builder, node: AnyFunction, header: Header, index: int) -> None:
    builder = Builder(outer.ledger, index, outer, header.class_index)
    builder.title = header.qualname
    builder.body = (ast.Expr(node.body),) if isinstance(node, ast.Lambda) else node.body
    builder.flags = switches.flags_of(header.parameters, outer.ops)
    builder.options = options_of(header.parameters, outer.ops)
    for position, parameter in enumerate(header.parameters):
        builder.bind(parameter.name, builder.emit((PARAM, position, parameter.name)))
    if header.class_index >= 0 and header.parameters and "staticmethod" not in header.decorators:
        builder.receiver = header.parameters[0].name
    if isinstance(node, ast.Lambda):
        builder.returns.append(test_value(builder, node.body))
    else:
        builder.block(visible(node.body))
    _finish_later(outer.ledger, builder, header)


def _lambda(builder: Builder, node: ast.Lambda) -> int:
    return builder.emit((FUNC, declare(builder, node)), node)


def _function(builder: Builder, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    builder.bind(node.name, builder.emit((FUNC, declare(builder, node)), node), node)


def _class(builder: Builder, node: ast.ClassDef) -> None:
    ledger = builder.ledger
    _decorators(builder, node.decorator_list)
    index = len(ledger.classes)
    around = f"{builder.title}." if builder.title else ""
    for part in (*node.bases, *(keyword.value for keyword in node.keywords)):
        # A name or `Base[T]` does nothing; `make_base(...)` does.
        if not isinstance(part, ast.Subscript) and not dotted(part):
            builder.expr(part)
    bases = tuple(filter(None, (dotted(b.value if isinstance(b, ast.Subscript) else b) for b in node.bases)))
    kind = ClassIR(node.name, around + node.name, ledger.span(node), builder.index, bases)
    ledger.classes.append(kind)
    base, bound, title = builder.scope, set(builder.bound), builder.title
    builder.title = kind.qualname
    builder.scope = builder.branch()
    for statement in node.body:
        _member(builder, kind, index, statement)
    kind.attributes.update({name: value for name, value in builder.scope.values.items() if value})
    _told(builder, kind, node.body[0])
    builder.scope, builder.bound, builder.title = base, bound, title
    builder.bind(node.name, builder.emit((CLASS, index), node), node)


def _told(builder: Builder, kind: ClassIR, first: ast.stmt) -> None:
    """The docstring of a class that is a signature is the prompt: it is kept as `__doc__`."""
    if not isinstance(first, ast.Expr) or not any(base.rpartition(".")[2] == "Signature" for base in kind.bases):
        return
    if isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        kind.attributes["__doc__"] = builder.expr(first.value)


def _member(builder: Builder, kind: ClassIR, index: int, node: ast.stmt) -> None:
    if type(node) is ast.FunctionDef or type(node) is ast.AsyncFunctionDef:
        function = declare(builder, node, index)
        texts = builder.ledger.classes[index].methods
        marks = node.decorator_list
        if not marks or not any(dotted(mark).endswith((".setter", ".deleter", "overload")) for mark in marks):
            texts[node.name] = function
        value = builder.scope.values[node.name] = builder.emit((FUNC, function), node)
        builder.shared.add(value)
        return
    if type(node) is ast.AnnAssign and type(node.target) is ast.Name:
        kind.annotations[node.target.id] = annotation_text(node.annotation)
    builder.block([node])


EXPRESSIONS[ast.Call] = lower_call
for _kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp):
    EXPRESSIONS[_kind] = lower_comprehension
EXPRESSIONS[ast.Lambda] = _lambda
STATEMENTS[ast.FunctionDef] = _function
STATEMENTS[ast.AsyncFunctionDef] = _function
STATEMENTS[ast.ClassDef] = _class
