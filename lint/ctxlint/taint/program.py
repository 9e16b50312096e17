"""All files of a run linked: which module is called what, which class extends which, where a name leads.

    pkg/__init__.py   from .memory import Memory          pkg/memory.py   class Memory(Store): ...
    pkg/app.py        from pkg import Memory

`Program.member(app, "Memory")` leads through the re-export to the class in pkg/memory.py. Functions and classes of
all files have one numbering each, in the order of the paths, so that every later stage works with plain integers.
"""

from __future__ import annotations

import builtins
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ctxlint.ir import ClassIR, FunctionIR, ModuleIR
from ctxlint.ir.ops import CLASS, FUNC, IMPORT, Op
from ctxlint.taint.deferred import deferred
from ctxlint.taint.objects import is_property
from ctxlint.taint.textfiles import PromptFiles

_NO_TEXTS: Mapping[str, str] = {}
_BUILTINS = frozenset(dir(builtins))
_MAX_HOPS = 12
_Piece = tuple[int, tuple[tuple[int, int], ...]]
"""The number of a file's first function, -1 when the places count in all files, and places."""


class Ref(NamedTuple):
    """What a name leads to: kind is function, class, module or external; `target` is an index or a dotted name.

    `bound` when the function already has its object, `given` counts the arguments that a partial gave it.
    """

    kind: str
    target: int | str
    bound: bool = False
    given: int = 0


class Program:
    """The linked files. Nothing in it changes once it is built."""

    def __init__(self, modules: Sequence[ModuleIR], texts: Mapping[str, str] = _NO_TEXTS) -> None:
        self.texts = PromptFiles(texts)
        self.modules = sorted(modules, key=lambda module: module.path)
        self.functions: list[FunctionIR] = []
        self.classes: list[ClassIR] = []
        self.module_of: list[int] = []
        self.module_of_class: list[int] = []
        self.first_function: list[int] = []
        self.first_class: list[int] = []
        for index, module in enumerate(self.modules):
            self.first_function.append(len(self.functions))
            self.first_class.append(len(self.classes))
            self.functions.extend(module.functions)
            self.classes.extend(module.classes)
            self.module_of.extend([index] * len(module.functions))
            self.module_of_class.extend([index] * len(module.classes))
        self.by_name = _module_names([module.path for module in self.modules])
        self.name_of = {index: name for name, index in reversed(self.by_name.items())}
        self._pieces: dict[str, defaultdict[str, list[_Piece]]] = {}
        self._ancestors: dict[int, tuple[int, ...]] = {}
        self._looked_for: dict[tuple[int, str], tuple[int, str] | None] = {}
        self._members: dict[tuple[int, str], Ref | None] = {}
        self._found: dict[tuple[int, str], tuple[int, str]] = {}

    def op(self, function: int, value: int) -> Op:
        """How a value came to be."""
        return self.functions[function].ops[value]

    def function_id(self, function: int, local: int) -> int:
        """The number of the function that is called `local` in the file of `function`."""
        return self.first_function[self.module_of[function]] + local

    def class_id(self, function: int, local: int) -> int:
        """The number of the class that is called `local` in the file of `function`."""
        return self.first_class[self.module_of[function]] + local

    def class_of(self, function: int) -> int:
        """The class whose method a function is, -1 when it is none."""
        local = self.functions[function].class_index
        return -1 if local < 0 else self.class_id(function, local)

    def path_of(self, function: int) -> str:
        """The file of a function."""
        return self.modules[self.module_of[function]].path

    def places(self, index: str, name: str) -> tuple[tuple[int, int], ...]:
        """What one of the files' indexes by name (`calls`, `mentions`, ...) holds in all files, in their order."""
        pieces = self._pieces.get(index)
        if pieces is None:
            pieces = self._pieces[index] = defaultdict(list)
            for first, module in zip(self.first_function, self.modules, strict=True):
                table: Mapping[str, tuple[tuple[int, int], ...]] = getattr(module, index)
                for key, held in table.items():
                    pieces[key].append((first, held))
        found = pieces.get(name, ())
        if found and found[0][0] >= 0:
            # Most names are never asked for, so that each is put together when it is.
            whole = tuple([(first + local, value) for first, held in found for local, value in held])
            found = pieces[name] = [(-1, whole)]
        return found[0][1] if found else ()

    @cached_property
    def tuple_fields(self) -> frozenset[tuple[str, int]]:
        """The fields of named tuples with their positions, under which they are taken as well."""
        named = (kind for kind in self.classes if any(base.endswith("NamedTuple") for base in kind.bases))
        return frozenset((name, position) for kind in named for position, name in enumerate(kind.annotations))

    # -- modules ---------------------------------------------------------------------------------------------

    def find_module(self, module: int, dotted: str) -> tuple[int, str]:
        """A module by the name that a file uses for it: its index (-1 when it is not linted), its full name."""
        if not dotted.startswith("."):
            return self.by_name.get(dotted, -1), dotted
        known = self._found.get((module, dotted))
        if known is None:
            known = self._found[module, dotted] = self._find_relative(module, dotted)
        return known

    def _find_relative(self, module: int, dotted: str) -> tuple[int, str]:
        level = len(dotted) - len(dotted.lstrip("."))
        parts = self.name_of.get(module, "").split(".")
        if self.modules[module].path.endswith("__init__.py"):
            level -= 1
        stem = parts[: len(parts) - level] if level else parts
        name = ".".join([*stem, dotted.lstrip(".")]).strip(".")
        if name not in self.by_name:
            # Folders without an `__init__.py` are packages, too, for the files in them.
            folders = self.modules[module].path.rpartition("/")[0].split("/")
            above = folders[: len(folders) + 1 - (len(dotted) - len(dotted.lstrip(".")))]
            beside = ".".join([*above, dotted.lstrip(".")]).strip(".")
            name = beside if beside in self.by_name else name
        return self.by_name.get(name, -1), name

    def member(self, module: int, name: str, hops: int = 0) -> Ref | None:
        """What a name at the top level of a module leads to; None when the module does not bind it."""
        if hops:
            return self._find_member(module, name, hops)
        key = (module, name)
        if key not in self._members:
            self._members[key] = self._find_member(module, name, 0)
        return self._members[key]

    def _find_member(self, module: int, name: str, hops: int) -> Ref | None:
        body = self.first_function[module]
        values = self.functions[body].variables.get(name)
        if values:
            return self._definition(module, values[0], hops)
        for star in self.modules[module].star_imports:
            found, _ = self.find_module(module, star)
            if found >= 0 and hops < _MAX_HOPS:
                ref = self.member(found, name, hops + 1)
                if ref is not None:
                    return ref
        place = self._deferred(module, name, hops)
        return None if place is None else self.member(*place, hops + 1)

    def _deferred(self, module: int, name: str, hops: int) -> tuple[int, str] | None:
        """The module in which another one looks for a name when it is asked for it, and the name there."""
        key = (module, name)
        if key not in self._looked_for:
            self._looked_for[key] = None
            if hops < _MAX_HOPS:
                self._looked_for[key] = self._find_deferred(module, name, hops)
        return self._looked_for[key]

    def _find_deferred(self, module: int, name: str, hops: int) -> tuple[int, str] | None:
        for source, inner in deferred(self.modules[module], name):
            # `lazy.attach` and tables of file names leave the dot out.
            for spelled in (source, f".{source}"):
                found, _ = self.find_module(module, spelled)
                if found >= 0 and (found, inner) != (module, name) and self._binds(found, inner, hops):
                    return found, inner
        return None

    def _binds(self, module: int, name: str, hops: int) -> bool:
        return bool(self.functions[self.first_function[module]].variables.get(name)) or (
            self.member(module, name, hops + 1) is not None
        )

    def _definition(self, module: int, value: int, hops: int) -> Ref | None:
        body = self.first_function[module]
        op = self.op(body, value)
        if op[0] == FUNC:
            return Ref("function", body + op[1])
        if op[0] == CLASS:
            return Ref("class", self.first_class[module] + op[1])
        if op[0] == IMPORT and hops < _MAX_HOPS:
            return self.imported(module, op[1], op[2], hops + 1)
        return None

    def imported(self, module: int, source: str, name: str, hops: int = 0) -> Ref | None:
        """What `from source import name` (or `import source`) in a module leads to."""
        found, full = self.find_module(module, source)
        if not name:
            return Ref("module", found) if found >= 0 else Ref("external", full)
        if found >= 0:
            inner = None if found == module and hops > _MAX_HOPS else self.member(found, name, hops)
            if inner is not None:
                return inner
        submodule = self.by_name.get(f"{full}.{name}", -1)
        if submodule >= 0:
            return Ref("module", submodule)
        return None if found >= 0 else Ref("external", f"{full}.{name}")

    def global_value(self, module: int, name: str, hops: int = 0) -> tuple[int, int] | None:
        """The function and value that hold a module-level variable, through imports."""
        body = self.first_function[module]
        values = self.functions[body].variables.get(name)
        if not values:
            for star in self.modules[module].star_imports:
                found, _ = self.find_module(module, star)
                if found >= 0 and hops < _MAX_HOPS:
                    inner = self.global_value(found, name, hops + 1)
                    if inner is not None:
                        return inner
            place = self._deferred(module, name, hops)
            return None if place is None else self.global_value(*place, hops + 1)
        op = self.op(body, values[0])
        if op[0] == IMPORT and op[2] and hops < _MAX_HOPS:
            found, _ = self.find_module(module, op[1])
            return self.global_value(found, op[2], hops + 1) if found >= 0 else None
        return body, values[0]

    def look_up(self, module: int, name: str) -> Ref | None:
        """A global or builtin name, or a dotted name that starts with one, as a function of the module sees it."""
        first, *rest = name.split(".")
        ref = self.member(module, first)
        if ref is None:
            return Ref("external", f"builtins.{name}") if first in _BUILTINS and not rest else None
        for part in rest:
            ref = self.attribute(ref, part)
            if ref is None:
                return None
        return ref

    def attribute(self, ref: Ref, name: str) -> Ref | None:
        """`ref.name`, for modules, classes and what is not linted."""
        if ref.kind == "external":
            return Ref("external", f"{ref.target}.{name}")
        if ref.kind == "module" and isinstance(ref.target, int):
            inner = self.member(ref.target, name)
            if inner is None:
                submodule = self.by_name.get(f"{self.name_of.get(ref.target, '')}.{name}", -1)
                return Ref("module", submodule) if submodule >= 0 else None
            return inner
        if ref.kind == "class" and isinstance(ref.target, int):
            method = self.method(ref.target, name)
            if method >= 0:
                static = "classmethod" in self.functions[method].decorators
                return Ref("function", method, static)
        return None

    # -- classes ---------------------------------------------------------------------------------------------

    def ancestors(self, kind: int) -> tuple[int, ...]:
        """A class and the linted classes it extends, nearest first (depth first, as close to the MRO as we need)."""
        known = self._ancestors.get(kind)
        if known is not None:
            return known
        self._ancestors[kind] = (kind,)
        result = [kind]
        for base in self.bases(kind):
            result.extend(self.ancestors(base))
        # The last of two mentions wins, as in the MRO: a shared base stands behind both of its children.
        ordered = tuple(reversed(dict.fromkeys(reversed(result))))
        self._ancestors[kind] = (kind, *(base for base in ordered if base != kind))
        return self._ancestors[kind]

    def bases(self, kind: int) -> Iterator[int]:
        """The linted classes that a class names as its bases."""
        module = self.module_of_class[kind]
        for base in self.classes[kind].bases:
            ref = self.look_up(module, base)
            if ref is not None and ref.kind == "class" and isinstance(ref.target, int) and ref.target != kind:
                yield ref.target

    @cached_property
    def methods_named(self) -> dict[str, list[int]]:
        """Methods and properties with a body by name."""
        found: dict[str, list[int]] = {}
        for index, function in enumerate(self.functions):
            if function.class_index >= 0 and not function.abstract:
                found.setdefault(function.name, []).append(index)
        return found

    @cached_property
    def properties_named(self) -> dict[str, list[int]]:
        """The methods that are read as attributes, by name."""
        return {
            name: found
            for name, methods in self.methods_named.items()
            if (found := [method for method in methods if is_property(self.functions[method].decorators)])
        }

    @cached_property
    def classes_named(self) -> dict[object, list[int]]:
        """The linted classes by their own name."""
        found: dict[object, list[int]] = {}
        for index, kind in enumerate(self.classes):
            found.setdefault(kind.name, []).append(index)
        return found

    @cached_property
    def children(self) -> dict[int, tuple[int, ...]]:
        """The classes that directly extend a class."""
        result: dict[int, list[int]] = {}
        for kind in range(len(self.classes)):
            for base in self.bases(kind):
                result.setdefault(base, []).append(kind)
        return {base: tuple(kinds) for base, kinds in result.items()}

    def descendants(self, kind: int) -> tuple[int, ...]:
        """The linted classes that extend a class, directly or not, without the class itself."""
        found: dict[int, None] = {}
        pending = list(self.children.get(kind, ()))
        while pending:
            current = pending.pop(0)
            if current not in found and current != kind:
                found[current] = None
                pending.extend(self.children.get(current, ()))
        return tuple(found)

    def enclosing_class(self, function: int) -> int:
        """The class whose method a function is or stands in, -1 for none."""
        while function >= 0:
            kind = self.class_of(function)
            if kind >= 0:
                return kind
            owner = self.functions[function].owner
            if owner < 0:
                return -1
            function = self.function_id(function, owner)
        return -1

    def related(self, one: int, other: int) -> bool:
        """An object can be of both classes."""
        return one in self.ancestors(other) or other in self.ancestors(one)

    def method(self, kind: int, name: str, *, above: bool = False) -> int:
        """The function that `name` means on an instance of a class (or in its bases only); -1 when unknown."""
        for ancestor in self.ancestors(kind)[1 if above else 0 :]:
            local = self.classes[ancestor].methods.get(name)
            if local is not None:
                return self.first_function[self.module_of_class[ancestor]] + local
        return -1


def _module_names(paths: Sequence[str]) -> dict[str, int]:
    """Every dotted name that leads to a file: from its outermost package, then from the linted folder."""
    packages = {path.rpartition("/")[0] for path in paths if path.endswith("/__init__.py")}
    names: dict[str, int] = {}
    spare: dict[str, int] = {}
    for index, path in enumerate(paths):
        parts = path.removesuffix(".py").removesuffix(".pyi").split("/")
        if parts[-1] == "__init__":
            parts.pop()
        start = len(path.split("/")) - 1
        while start > 0 and "/".join(path.split("/")[:start]) in packages:
            start -= 1
        names.setdefault(".".join(parts[start:]), index)
        spare.setdefault(".".join(parts), index)
        # Files that lie in no package import each other by their position below any folder.
        spare.setdefault(parts[-1] if parts else "", index)
    for name, index in spare.items():
        names.setdefault(name, index)
    return names
