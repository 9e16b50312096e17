r"""Newer Python, brought down by libcst: what no line shows by itself (`ctxlint.syntax.newer` has the rest).

    f"{row["name"]} {"\n".join(rows)}"    f"{_p0} {_p1}", and both expressions are put back into the tree
    t"{name}"                              f"{name}"
    [*row for row in rows]                 [it for row in rows for it in row]
    {**row for row in rows}                {key: it for row in rows for key, it in row.items()}
    lazy import json                       import json
    except A, B:                           except (A, B):
    type Row[T] = dict[str, T]             Row = dict[str, T]

Every line stays where it was; what stands behind such a text on its own line may move by a few columns.

libcst can crash or hang on absurd nesting: only a worker process comes here, which may be lost.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from typing import NamedTuple, TypeVar, cast

import libcst as cst

_Part = cst.FormattedStringText | cst.FormattedStringExpression
_Def = cst.FunctionDef | cst.ClassDef
_D = TypeVar("_D", cst.FunctionDef, cst.ClassDef)


def brought_down(text: str, *, every: bool = False) -> ast.Module:
    """The syntax tree of a file that the running Python refuses.

    Args:
        text: the file.
        every: take the expressions out of all formatted texts, also where this Python reads them.

    Raises:
        SyntaxError: when it is no Python, or one that is not known here.
    """
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        raise SyntaxError(error.message) from error
    down = _Down(module, every=every)
    tree = ast.parse(module.visit(down).code)
    return cast("ast.Module", _PutBack(down.taken).visit(tree)) if down.taken else tree


class _Taken(NamedTuple):
    """An expression that a name stands for; `spread` is "*" or "**" where all that is in it is meant."""

    code: str
    spread: str = ""


class _Down(cst.CSTTransformer):
    """Writes a module in an older way."""

    def __init__(self, module: cst.Module, *, every: bool) -> None:
        super().__init__()
        self._module = module
        self._every = every
        prefixes = (f"_p{'_' * count}" for count in itertools.count())
        self._prefix = next(prefix for prefix in prefixes if prefix not in module.code)
        self.taken: dict[str, _Taken] = {}

    def _take(self, expression: cst.BaseExpression, spread: str = "") -> cst.Name:
        """A name that stands for an expression."""
        name = f"{self._prefix}{len(self.taken)}"
        self.taken[name] = _Taken(self._module.code_for_node(expression), spread)
        return cst.Name(name)

    # -- formatted texts -------------------------------------------------------------------------------------

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:  # noqa: N802, ARG002 - libcst's names
        """What stands in it goes as a whole."""
        return False

    def visit_TemplatedString(self, node: cst.TemplatedString) -> bool:  # noqa: N802, ARG002
        """The same."""
        return False

    def leave_FormattedString(  # noqa: N802
        self, original_node: cst.FormattedString, updated_node: cst.FormattedString
    ) -> cst.BaseExpression:
        """Names instead of expressions, where this Python does not read the text."""
        refused = not _reads(self._module.code_for_node(original_node.with_changes(lpar=(), rpar=())))
        if not refused and (not self._every or any(_is_told(part) for part in original_node.parts)):
            return updated_node
        return self._plain(updated_node, cast("Sequence[_Part]", updated_node.parts))

    def leave_TemplatedString(  # noqa: N802
        self, original_node: cst.TemplatedString, updated_node: cst.TemplatedString
    ) -> cst.BaseExpression:
        """A template is a formatted text: what flows into it is the same."""
        start = original_node.start.replace("t", "f").replace("T", "F")
        plain = cst.FormattedString((), start, original_node.end, updated_node.lpar, updated_node.rpar)
        return self._plain(plain, [_formatted(part) for part in original_node.parts])

    def _plain(self, text: cst.FormattedString, parts: Sequence[_Part]) -> cst.FormattedString:
        done, lines = self._parts(parts)
        changed = text.with_changes(parts=done)
        if lines and len(text.end) == 1:  # in an older Python only a text in three quotes goes over lines
            changed = changed.with_changes(start=text.start + text.end * 2, end=text.end * 3)
        return changed

    def _parts(self, parts: Sequence[_Part]) -> tuple[list[_Part], int]:
        """Parts with a name for each expression, and the lines that the expressions went over."""
        done: list[_Part] = []
        lines = 0
        for part in parts:
            if isinstance(part, cst.FormattedStringText):
                done.append(part)
                continue
            name = self._take(part.expression)
            around = (part.whitespace_before_expression, part.whitespace_after_expression)
            codes = (self.taken[name.value].code, *map(self._module.code_for_node, around))
            within = sum(code.count("\n") for code in codes)
            spec, more = self._parts(cast("Sequence[_Part]", part.format_spec or ()))
            changed = part.with_changes(
                expression=name,
                format_spec=None if part.format_spec is None else spec,
                whitespace_before_expression=cst.SimpleWhitespace(""),
                whitespace_after_expression=_gap(within, len(self.taken[name.value].code) - len(name.value)),
                equal=None,
            )
            done.append(changed)
            lines += within + more
        return done, lines

    # -- all else --------------------------------------------------------------------------------------------

    def leave_ListComp(self, original_node: cst.ListComp, updated_node: cst.ListComp) -> cst.BaseExpression:  # noqa: N802
        """`[*row for row in rows]`."""
        return self._spread(original_node, updated_node)

    def leave_SetComp(self, original_node: cst.SetComp, updated_node: cst.SetComp) -> cst.BaseExpression:  # noqa: N802
        """`{*row for row in rows}`."""
        return self._spread(original_node, updated_node)

    def leave_GeneratorExp(  # noqa: N802
        self, original_node: cst.GeneratorExp, updated_node: cst.GeneratorExp
    ) -> cst.BaseExpression:
        """`(*row for row in rows)`."""
        return self._spread(original_node, updated_node)

    def _spread(
        self, original: cst.BaseSimpleComp, updated: cst.ListComp | cst.SetComp | cst.GeneratorExp
    ) -> cst.BaseExpression:
        if not isinstance(original.elt, cst.StarredElement):
            return updated
        return updated.with_changes(elt=self._take(original.elt.value, "*"))

    def leave_StarredDictComp(  # noqa: N802
        self, original_node: cst.StarredDictComp, updated_node: cst.StarredDictComp
    ) -> cst.BaseExpression:
        """`{**row for row in rows}`."""
        name = self._take(original_node.value, "**")
        return cst.SetComp(name, updated_node.for_in, lpar=updated_node.lpar, rpar=updated_node.rpar)

    def leave_LazyImport(self, original_node: cst.LazyImport, updated_node: cst.LazyImport) -> cst.Import:  # noqa: N802, ARG002
        """`lazy import json`."""
        return cst.Import(updated_node.names, updated_node.semicolon, updated_node.whitespace_after_import)

    def leave_LazyImportFrom(  # noqa: N802
        self,
        original_node: cst.LazyImportFrom,  # noqa: ARG002
        updated_node: cst.LazyImportFrom,
    ) -> cst.ImportFrom:
        """`lazy from json import loads`."""
        plain = cst.ImportFrom(updated_node.module, updated_node.names)
        kept = ("relative", "lpar", "rpar", "semicolon")
        return plain.with_changes(**{name: getattr(updated_node, name) for name in kept})

    def leave_ExceptHandler(  # noqa: N802
        self,
        original_node: cst.ExceptHandler,  # noqa: ARG002
        updated_node: cst.ExceptHandler,
    ) -> cst.ExceptHandler:
        """`except A, B:`."""
        return updated_node.with_changes(type=_in_brackets(updated_node.type))

    def leave_ExceptStarHandler(  # noqa: N802
        self,
        original_node: cst.ExceptStarHandler,  # noqa: ARG002
        updated_node: cst.ExceptStarHandler,
    ) -> cst.ExceptStarHandler:
        """`except* A, B:`."""
        return updated_node.with_changes(type=_in_brackets(updated_node.type))

    def leave_TypeAlias(self, original_node: cst.TypeAlias, updated_node: cst.TypeAlias) -> cst.Assign:  # noqa: N802
        """`type Row[T] = dict[str, T]`."""
        gap = self._gap(original_node.type_parameters, before="type ")
        target = cst.AssignTarget(updated_node.name, whitespace_before_equal=gap)
        return cst.Assign([target], updated_node.value, updated_node.semicolon)

    def leave_FunctionDef(  # noqa: N802
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        """`def first[T](rows): ...`."""
        return self._untyped(original_node, updated_node)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:  # noqa: N802
        """`class Box[T]: ...`."""
        return self._untyped(original_node, updated_node)

    def _untyped(self, original: _Def, updated: _D) -> _D:
        if original.type_parameters is None:
            return updated
        gap = self._gap(original.type_parameters)
        return updated.with_changes(type_parameters=None, whitespace_after_name=gap)

    def _gap(self, node: cst.CSTNode | None, before: str = "") -> cst.SimpleWhitespace:
        """White space of the same shape."""
        code = before + ("" if node is None else self._module.code_for_node(node))
        *over, last = code.split("\n")
        return cst.SimpleWhitespace("".join("\\\n" for _ in over) + " " * len(last))


class _PutBack(ast.NodeTransformer):
    """Puts the expressions that were taken out back into the tree, at the place of their names."""

    def __init__(self, taken: dict[str, _Taken]) -> None:
        self._taken = taken

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The expression that a name stands for."""
        taken = self._taken.get(node.id)
        return node if taken is None else _parsed_at(taken.code, node)

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """All that is in what is spread."""
        return self._spread(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """The same."""
        return self._spread(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """The same."""
        return self._spread(node)

    def _spread(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> ast.expr:
        taken = self._taken.get(node.elt.id) if isinstance(node.elt, ast.Name) else None
        whole = cast("ast.ListComp", self.generic_visit(node))
        if taken is None or not taken.spread:
            return whole
        new = ast.parse(
            "[it for row in rows for it in row]" if taken.spread == "*" else "{key: it for key, it in row.items()}",
            mode="eval",
        ).body
        loop = cast("ast.ListComp", new).generators[-1]
        if isinstance(loop.iter, ast.Call):
            cast("ast.Attribute", loop.iter.func).value = whole.elt
        else:
            loop.iter = whole.elt
        for part in ast.walk(new):
            ast.copy_location(part, node)
        cast("ast.ListComp", new).generators = [*whole.generators, loop]
        if isinstance(new, ast.ListComp):
            whole.elt, whole.generators = new.elt, new.generators
            return whole
        return new


def _parsed_at(code: str, place: ast.expr) -> ast.expr:
    """The tree of an expression that starts at a place."""
    bracketed = f"({code})"
    try:
        tree = ast.parse(bracketed)
    except SyntaxError:
        tree = brought_down(bracketed)
    expression = cast("ast.Expr", tree.body[0]).value
    for node in ast.walk(expression):
        if isinstance(node, ast.expr | ast.keyword | ast.arg):
            first, last = node.lineno == 1, node.end_lineno == 1
            node.col_offset += place.col_offset - 1 if first else 0
            node.end_col_offset = (node.end_col_offset or 0) + (place.col_offset - 1 if last else 0)
            node.end_lineno = (node.end_lineno or 1) + place.lineno - 1
            node.lineno += place.lineno - 1
    return expression


def _reads(code: str) -> bool:
    """Whether the running Python reads an expression."""
    try:
        ast.parse(code, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _is_told(part: cst.BaseFormattedStringContent) -> bool:
    """`{name=}` shows its own words, which a name in its place would not."""
    return isinstance(part, cst.FormattedStringExpression) and part.equal is not None


def _formatted(part: cst.BaseTemplatedStringContent) -> _Part:
    """A part of a template as one of a formatted text."""
    if isinstance(part, cst.TemplatedStringText):
        return cst.FormattedStringText(part.value)
    found = cast("cst.TemplatedStringExpression", part)
    spec = None if found.format_spec is None else [_formatted(inner) for inner in found.format_spec]
    return cst.FormattedStringExpression(
        found.expression,
        found.conversion,
        spec,
        found.whitespace_before_expression,
        found.whitespace_after_expression,
    )


def _gap(lines: int, columns: int) -> cst.BaseParenthesizableWhitespace:
    """So many ends of lines, or else so many columns."""
    if not lines:
        return cst.SimpleWhitespace(" " * columns)
    return cst.ParenthesizedWhitespace(empty_lines=[cst.EmptyLine(indent=False)] * (lines - 1))


def _in_brackets(kinds: cst.BaseExpression | None) -> cst.BaseExpression | None:
    if isinstance(kinds, cst.Tuple) and not kinds.lpar:
        return kinds.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return kinds
