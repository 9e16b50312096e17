"""Which calls of a file are calls of ctxcontracts, and which of its functions are under its decorators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ctxlint.ir import FunctionIR, ModuleIR
from ctxlint.ir import ops as op

PACKAGE: Final = "ctxcontracts"
DOORS: Final = frozenset({"user_text", "assistant_text", "system_text", "external_text", "tool_text"})
TOOLS: Final = frozenset({"tool", "async_tool"})
SUMMARIZERS: Final = frozenset({"summarizer", "async_summarizer", "derives"})
EDITS: Final = frozenset({"rewrite", "arewrite", "rederive", "arederive"})
_BUFFER: Final = "ContextBuffer"


class OwnNames:
    """The names of one file.

    Args:
        module: the file.
    """

    def __init__(self, module: ModuleIR) -> None:
        self.functions: Sequence[FunctionIR] = module.functions
        self._classes = module.classes

    @property
    def any(self) -> bool:
        """Whether the file imports anything of the package."""
        return any(item[0] == op.IMPORT and _is_ours(str(item[1])) for item in self.functions[0].ops)

    def called(self, function: int, value: int) -> str:
        """The name of ctxcontracts that a call calls, or an empty string."""
        _, callee, receiver, method, *_ = self.functions[function].ops[value]
        if callee == -1:  # ctxcontracts.expose(...): a method of an imported module
            return method if _is_import_of(self.resolved(function, receiver), PACKAGE) else ""
        found = self.resolved(function, callee)
        return found[2] if found[0] == op.IMPORT and _is_ours(found[1]) else ""

    def own(self, found: op.Op) -> str:
        """The name of ctxcontracts that an operation imports or reads off the package, or an empty string."""
        return str(found[2]) if found[0] == op.IMPORT and _is_ours(found[1]) else ""

    def resolved(self, function: int, value: int) -> op.Op:
        """The operation behind a value, where it is a name of the module."""
        return self._located(function, value)[1]

    def _located(self, function: int, value: int) -> tuple[int, op.Op]:
        """The same with the function that holds the operation."""
        found = self.functions[function].ops[value]
        if found[0] in {op.NAME, op.CAPTURE}:
            function = 0 if found[0] == op.NAME else found[2]
            values = self.functions[function].variables.get(found[1], ())
            found = self.functions[function].ops[values[-1]] if values else found
        while found[0] == op.OUT:  # the same object after a call that got it
            found = self.functions[function].ops[found[1]]
        return function, found

    def function_of(self, function: int, value: int) -> int | None:
        """The index of the function of this file that a value is."""
        found = self.resolved(function, value)
        return int(found[1]) if found[0] == op.FUNC else None

    def is_class(self, function: int, value: int) -> bool:
        """Whether a value is a class of this file."""
        return bool(self.resolved(function, value)[0] == op.CLASS)

    def under(self, function: int, decorators: frozenset[str]) -> bool:
        """Whether a function is under one of these decorators."""
        return any(name.rpartition(".")[2] in decorators for name in self.functions[function].decorators)

    def is_buffer(self, function: int, value: int) -> bool:
        """Whether a value is a context buffer: made here, annotated so, or called so."""
        owner, found = self._located(function, value)
        if found[0] == op.CALL:
            made = self.resolved(owner, found[1] if found[1] != -1 else found[2])
            return bool(made[0] == op.IMPORT and made[2] == _BUFFER)
        if found[0] == op.PARAM:
            annotation = self.functions[owner].parameters[int(found[1])].annotation
            if annotation:
                return _BUFFER in annotation
        return "buf" in self.named(function, value).lower()

    def named(self, function: int, value: int) -> str:
        """What a value is called, as far as that shows."""
        code = self.functions[function]
        found = code.ops[value]
        if found[0] in {op.NAME, op.CAPTURE, op.ATTR}:
            return str(found[2] if found[0] == op.ATTR else found[1])
        return code.names.get(value, "")

    def fields(self, function: int, name: str) -> Iterator[tuple[int, int]]:
        """What the methods of the class around a function assign to a field of `self`, as function and value."""
        index = self.functions[function].class_index
        if index < 0:
            return
        for method in self._classes[index].methods.values():
            for item in self.functions[method].ops:
                if item[0] == op.SET_ATTR and item[2] == name and self.is_self(method, item[1]):
                    yield method, item[3]

    def own_method(self, function: int, name: str) -> int | None:
        """The index of the method of the class around a function that has this name."""
        index = self.functions[function].class_index
        return self._classes[index].methods.get(name) if index >= 0 else None

    def is_self(self, function: int, value: int) -> bool:
        """Whether a value is the object whose method this is."""
        code = self.functions[function]
        found = self.resolved(function, value)
        while found[0] == op.SET_ATTR:
            found = self.resolved(function, found[1])
        return bool(code.class_index >= 0 and found[0] == op.PARAM and found[1] == 0)


def _is_ours(module: str) -> bool:
    return module == PACKAGE or module.startswith(f"{PACKAGE}.")


def _is_import_of(found: op.Op, module: str) -> bool:
    return bool(found[0] == op.IMPORT and found[1] == module and found[2] == "")
