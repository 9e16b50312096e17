"""Names that a module looks for when somebody asks for them, by a `__getattr__` at its top level (PEP 562).

    _EXPORTS = {"Folder": ".folding", "Shelf": (".keeping", "Shelf")}      or {"folding": ["Folder"]}

    def __getattr__(name):
        return getattr(import_module(_EXPORTS[name], __name__), name)      or: from .folding import Folder

`from desk import Folder` leads to `desk/folding.py`, though nothing in `desk/__init__.py` binds the name.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir import FunctionIR, ModuleIR
from ctxlint.ir.ops import BUILD, CALL, CONST, FUNC, IMPORT, IN_LIST, ITEM, NAME

_HOOK = "__getattr__"


def deferred(module: ModuleIR, name: str) -> Iterator[tuple[str, str]]:
    """The modules, as this one names them, in which it may look for a name, each with the name there."""
    body = module.functions[0]
    bound = body.variables.get(_HOOK)
    if not bound:
        return
    found = body.ops[bound[0]]
    local: int = found[1] if found[0] == FUNC else -1
    hook = module.functions[local] if local >= 0 else None
    for table in _tables(body, bound[0], hook):
        yield from _listed(body, table, name)
    if hook is not None:
        yield from _imported(hook, name)


def _tables(body: FunctionIR, bound: int, hook: FunctionIR | None) -> Iterator[int]:
    """The displays that the hook reads itself, or that the call gets that makes it: what others do is not known."""
    if hook is not None:
        read = dict.fromkeys(op[1] for op in hook.ops if op[0] == NAME)
        inner = [value for name in read for value in body.variables.get(name, ())]
    else:
        op = body.ops[bound]
        op = body.ops[op[1]] if op[0] == ITEM else op
        inner = [*op[4], *(held for _, held in op[5])] if op[0] == CALL else []
    yield from (value for value in inner if body.ops[value][0] == BUILD)


def _listed(body: FunctionIR, table: int, name: str) -> Iterator[tuple[str, str]]:
    """What a table of names says, from the name to its module or from the module to its names."""
    for key, value in body.ops[table][1]:
        op = body.ops[value]
        if key == name and op[0] == CONST:
            yield from _split(op[1], name)
        elif key == name and op[0] == BUILD:
            texts = [body.ops[part][1] for _, part in op[1] if body.ops[part][0] == CONST]
            if len(texts) > 1 and all(isinstance(text, str) for text in texts):
                yield texts[0], texts[1]
        elif op[0] == BUILD and any(field == IN_LIST and body.ops[part] == (CONST, name) for field, part in op[1]):
            yield key, name


def _split(text: object, name: str) -> Iterator[tuple[str, str]]:
    """`.folding`, `desk.folding:Folder` or `desk.folding.Folder`."""
    if isinstance(text, str) and text:
        source, mark, inner = text.partition(":")
        yield source, inner if mark else name
        if text.endswith(f".{name}"):
            yield text.removesuffix(f".{name}"), name


def _imported(hook: FunctionIR, name: str) -> Iterator[tuple[str, str]]:
    """What the hook imports by a statement, or by a call with the name of the module."""
    for op in hook.ops:
        if op[0] == IMPORT:
            if op[2] == name:
                yield op[1], name
            elif op[2]:
                yield f"{op[1]}{'' if op[1].endswith('.') else '.'}{op[2]}", name
        elif op[0] == CALL and len(op[4]) > 0 and _is_import(hook, op[1], op[3]) and hook.ops[op[4][0]][0] == CONST:
            yield from _split(hook.ops[op[4][0]][1], name)


def _is_import(hook: FunctionIR, callee: int, method: str) -> bool:
    """The call is `importlib.import_module(...)`, under this name or another way to reach it."""
    return method == "import_module" or (
        callee >= 0 and hook.ops[callee][0] in {NAME, IMPORT} and hook.ops[callee][-1] == "import_module"
    )
