"""What the lowering hands on: plain, picklable tables that never hold a syntax node or an open file."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import NamedTuple

from ctxlint.ir.ops import Op

Span = tuple[int, int, int, int]
"""Line, column, end line, end column: lines from 1, columns from 0 in characters."""


class Condition(NamedTuple):
    """What a test says about a value; `wanted` is False for "not".

    `m.get("kind") == "summary"` is `("is", "kind", ("summary",))`; `m["is_summary"]` is `("has", "is_summary", ())`;
    `isinstance(m, Note)` is `("type", "", ("Note",))`; `m["content"].startswith(MARK)` is
    `("prefix", "content", ("$MARK",))`, a name being written as `$MARK`; `"mark" in m` is `("holds", "", ("mark",))`;
    `m["id"] in self.summary_ids` is `("member", "id", ("summary_ids",))`; `is_summary(m)` is `("call", "", (call,))`
    with the value of the call. A number too long to be written is no value. `unless` names a switch and what it is
    when the test passes whatever else holds; `("given", "raw", ())` says that a switch is on (`ctxlint.ir.switches`).
    """

    kind: str
    key: str
    values: tuple[object, ...]
    wanted: bool = True
    unless: tuple[str, bool] | None = None


class Loop(NamedTuple):
    """A loop of a function: the values from `start` up to `end` are defined in it. Loop 0 is "no loop"."""

    parent: int
    start: int
    end: int


class Parameter(NamedTuple):
    """A parameter: `annotation` and `default` as far as they are known ("" and 0 when not).

    `default` is a value of the function that holds the definition. `kind` is "", "*" or "**".
    """

    name: str
    annotation: str = ""
    default: int = 0
    kind: str = ""


class Header(NamedTuple):
    """What is known of a function before its body is lowered: the first fields of a `FunctionIR`."""

    name: str
    qualname: str
    span: Span
    owner: int
    class_index: int = -1
    parameters: tuple[Parameter, ...] = ()
    decorators: tuple[str, ...] = ()
    annotation: str = ""
    abstract: bool = False


@dataclass(frozen=True, slots=True)
class FunctionIR:
    """One function, lambda or module body, as a sparse def-use graph (see `ctxlint.ir.ops`)."""

    name: str
    qualname: str
    span: Span
    owner: int
    """The function whose body defines this one; -1 for the module body, which is function 0."""
    class_index: int = -1
    parameters: tuple[Parameter, ...] = ()
    decorators: tuple[str, ...] = ()
    annotation: str = ""
    ops: tuple[Op, ...] = ()
    spans: tuple[Span | None, ...] = ()
    names: dict[int, str] = field(default_factory=dict[int, str])
    """What a value was first assigned to, as written: `summary`, `self.buffer`, `state["summary"]`."""
    returns: tuple[int, ...] = ()
    yields: tuple[int, ...] = ()
    loops: tuple[Loop, ...] = (Loop(0, 0, 0),)
    variables: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """All values of the variables that a nested function captures; of a module body, the last value of each name."""
    abstract: bool = False
    """The body does nothing but raise, pass or state a docstring."""
    hints: dict[int, str] = field(default_factory=dict[int, str])
    """The annotations of variables, by the first value that they get: `desk: Desk = find("desk")`."""
    reached: dict[int, tuple[Condition, ...]] = field(default_factory=dict[int, tuple[Condition, ...]])
    """What has to hold about parameters for a call to be reached (`ctxlint.ir.reached`)."""

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """See `_made_again`."""
        return _made_again(self)


@dataclass(frozen=True, slots=True)
class ClassIR:
    """A class: its attributes are values of the function that holds the class statement."""

    name: str
    qualname: str
    span: Span
    owner: int
    bases: tuple[str, ...] = ()
    methods: dict[str, int] = field(default_factory=dict[str, int])
    attributes: dict[str, int] = field(default_factory=dict[str, int])
    annotations: dict[str, str] = field(default_factory=dict[str, str])
    hints: dict[str, str] = field(default_factory=dict[str, str])
    """The annotations of fields that methods assign: `self.notes: list[Note] = []`."""

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """See `_made_again`."""
        return _made_again(self)


Where = tuple[int, int]
"""A function's index and a value of it."""


@dataclass(frozen=True, slots=True)
class ModuleIR:
    """One file. The indexes lead from a name to the operations that use it, so that nothing has to be searched."""

    path: str
    functions: tuple[FunctionIR, ...]
    classes: tuple[ClassIR, ...] = ()
    star_imports: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """What is imported under another name, in any function, and the other name."""
    calls: dict[str, tuple[Where, ...]] = field(default_factory=dict[str, tuple[Where, ...]])
    """Calls by the last name of the callee."""
    mentions: dict[str, tuple[Where, ...]] = field(default_factory=dict[str, tuple[Where, ...]])
    """Calls by the last name of something that they get as an argument."""
    attributes: dict[str, tuple[Where, ...]] = field(default_factory=dict[str, tuple[Where, ...]])
    """Attribute reads by name."""
    globals_read: dict[str, tuple[Where, ...]] = field(default_factory=dict[str, tuple[Where, ...]])
    """Reads of names that are bound outside of every function, by name."""
    keys: dict[str, tuple[Where, ...]] = field(default_factory=dict[str, tuple[Where, ...]])
    """Reads of constant string keys by key (`state["summary"]`, `state.get("summary")`)."""
    tests: tuple[Where, ...] = ()
    """Where something may be left out: FILTER, TEST, and SLICE that does not begin in front."""

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """See `_made_again`."""
        return _made_again(self)


def _made_again(table: FunctionIR | ClassIR | ModuleIR) -> tuple[type, tuple[object, ...]]:
    """How a pickle makes a table again: from all its fields, since a compiled class takes none once it is made.

    Without it, compiled and interpreted classes would be written in different ways, and share no cache.
    """
    return type(table), tuple([getattr(table, each.name) for each in fields(table)])
