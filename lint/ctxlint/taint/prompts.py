"""Backward from a call of a model: which texts and names does its input come from?

    PROMPT = PromptTemplate.from_template("Condense the chat: {lines}")
    class Memory:
        prompt = PROMPT
        def fold(self, lines):
            chain = LLMChain(llm=self.llm, prompt=self.prompt)
            return chain.predict(lines=lines)        texts: "Condense the chat: {lines}"; names: chain, prompt, PROMPT

Two hops through functions and any number of fields and module variables: what stands further away says little about
this call and much about others. A constant that names a prompt file of the run, or a key of a prompt table, brings
the text that is kept there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ctxlint.ir.ops import (
    ATTR,
    CALL,
    CAPTURE,
    CLASS,
    CONST,
    ELEMENT,
    IMPORT,
    ITEM,
    NAME,
    OUT,
    PARAM,
    SLICE,
)
from ctxlint.taint.answering import Answers
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.class_prompts import properties
from ctxlint.taint.joined import TEXTS, Joined, Point, StepBack, joined, joins
from ctxlint.taint.names import split, words_of
from ctxlint.taint.operands import operands
from ctxlint.taint.selves import has_self, is_own, origin
from ctxlint.taint.spelling import spelled
from ctxlint.taint.tables import KEYED, Tables

_MAX_VALUES = 400
_FEW = 2
_MAX_MADE = 12
_MAX_RETURNS = 8
_ADDS = frozenset({"append", "extend", "insert", "add", "appendleft", "update"})
_SETTING_UP = frozenset({"__init__", "__post_init__", "model_post_init", "setup", "reset"})
_NAMED = {NAME: 1, IMPORT: 2, ATTR: 2}
_WITHIN = frozenset({ATTR, ELEMENT, ITEM, SLICE})
_TOOLS = frozenset({"tool", "tools", "toolset", "toolsets", "toolkit", "toolkits", "functions"})
_PARTS = frozenset(
    {"hook", "hooks", "callback", "callbacks", "handler", "handlers", "middleware", "middlewares", "listener"}
    | {"listeners", "memory", "checkpointer", "condenser", "compactor", "summarizer", "guardrail", "guardrails"}
)


class Limits(NamedTuple):
    """Through how many functions to go, and for how many of them a field counts.

    `own` leaves out what is given to linted functions: what comes back from them may be another's words.
    """

    functions: int
    field: int = 0
    own: bool = False


FAR = Limits(2)
_OF_SEARCH = frozenset({ATTR, CALL, ITEM}) | (TEXTS - {CONST})
"""What these are made of depends on where the search began, how far it has come, and what it was given on the way."""


@dataclass(slots=True)
class Evidence:
    """The constant texts and the names that an input is made of. Texts in pieces are one text, with holes."""

    texts: dict[str, None] = field(default_factory=dict[str, None])
    names: dict[str, None] = field(default_factory=dict[str, None])


def evidence(
    graph: CallGraph,
    function: int,
    values: tuple[int, ...],
    answers: Container[tuple[int, int]],
    limits: Limits = FAR,
) -> Evidence:
    """What the values are made of; not what `answers`, the calls of models, were asked for.

    How an object was set up, and what a wrapper is given, says less the further away it was: `limits`.
    """
    return _Search(graph, answers, limits).run(function, values)


def is_told(keyword: str) -> bool:
    """What is passed under a keyword is for the model to do, and not a description of what it may call."""
    return words_of(keyword).isdisjoint(_TOOLS)


def is_part(keyword: str) -> bool:
    """What is passed under a keyword has a prompt of its own: a hook, a memory; the object is asked with another."""
    return split(keyword)[-1:] != () and split(keyword)[-1] in _PARTS


class _Search:
    """One walk backward, breadth first."""

    def __init__(self, graph: CallGraph, answers: Container[tuple[int, int]], limits: Limits) -> None:
        self.graph = graph
        self.reach = limits.functions
        self.field = limits.field
        self.own = limits.own
        self.program = graph.program
        self.start = -1
        self.found = Evidence()
        self.seen: set[tuple[int, int]] = set()
        self.texts: dict[tuple[int, int], str] = {}
        self._answers = Answers(graph, answers)
        self._looks: Mapping[int, Callable[[Point], list[Point]]] = {
            NAME: self._name,
            IMPORT: self._import,
            ATTR: self._attribute,
            ITEM: self._item,
            CALL: self._call,
            PARAM: self._default,
            CAPTURE: self._capture,
            CLASS: self._signature,
            OUT: self._changed,
        }
        self._tables = Tables(graph, self._held_at, self._named)

    def run(self, function: int, values: tuple[int, ...]) -> Evidence:
        """All that is found within the limits."""
        self.start = function
        pending: deque[Point] = deque(Point(function, value, 0) for value in values)
        while pending and len(self.seen) < _MAX_VALUES:
            point = pending.popleft()
            key = point[:2]
            if key in self.seen:
                continue
            step = self.graph.steps_back.get(key)
            if step is None:
                if self.program.op(*key)[0] in _OF_SEARCH:
                    if not self.closed(point):
                        self.seen.add(key)
                        pending.extend(self._before(point))
                    continue
                step = self.graph.steps_back[key] = self._alone(point)
            self.seen.add(key)
            self.found.texts.update(step.texts)
            self.found.names.update(step.names)
            pending.extend([Point(*place, point.hops) for place in step.places])
        return self.found

    def _alone(self, point: Point) -> StepBack:
        """A step whose outcome is the same for every search that comes by; no call, so that no model answers it."""
        found, self.found = self.found, Evidence()
        places = tuple([before[:2] for before in self._before(point)])
        step, self.found = StepBack(self.found.texts, self.found.names, places), found
        return step

    def closed(self, point: Point) -> bool:
        """The value is what a model answered, here or in a function that is called."""
        return self._answers.gives(*point[:2])

    def before(self, point: Point) -> list[Point]:
        """Where a value that is no text itself comes from."""
        op = self.program.op(point.function, point.value)
        self._note(point)
        look = self._looks.get(op[0])
        if look is not None:
            return look(point)
        return [point.at(operand) for operand in operands(op)]

    def _before(self, point: Point) -> list[Point]:
        op = self.program.op(point.function, point.value)
        if not joins(self.program, point.function, op):
            return self.before(point)
        text = Joined()
        joined(self, point, text)
        if text.words():
            self.found.texts[text.text] = None
        for piece in text.constants:
            self._named(piece, point.function)
        return text.rest

    def _note(self, point: Point) -> None:
        key = point[:2]
        names = self.graph.noted.get(key)
        if names is None:
            names = self.graph.noted[key] = tuple(filter(self._speaks, self._names(point)))
        for name in names:
            self.found.names[name] = None

    def _names(self, point: Point) -> Iterator[str]:
        op = self.program.op(point.function, point.value)
        position = _NAMED.get(op[0])
        if position is not None:
            yield op[position]
        # What was built here has the name of a prompt, or none that says what it asks for.
        made = self.graph.name(point.function, point.value) if op[0] == CALL else ""
        held = self.program.functions[point.function].names.get(point.value, "")
        for name in (made, "" if "[" in held else held.rpartition(".")[2]):
            if words_of(name) & self.graph.models.words.prompts:
                yield name

    def note(self, name: str) -> None:
        """Keep a name that the input is known under."""
        if self._speaks(name):
            self.found.names[name] = None

    def _speaks(self, name: str) -> bool:
        """Names of tools and settings say nothing about a prompt."""
        words = self.graph.models.words
        return bool(name and not words_of(name) & words.tools and not words.settings.intersection(split(name)[-1:]))

    # -- texts that are kept elsewhere -----------------------------------------------------------------------

    def _named(self, name: str, function: int) -> bool:
        """A constant that names a file, or a key of a table of prompts: whether there is one."""
        kept = self.program.texts
        path = self.program.path_of(function)
        texts = list(kept.keyed(name, path))
        for place, text in kept.named(name, path):
            self.note(place)
            texts.append(text)
        self.found.texts.update(dict.fromkeys(texts))
        return bool(texts)

    def _held_at(self, point: Point) -> list[Point] | None:
        """What a name of a table stands for; None where a value is no name."""
        op = self.program.op(point.function, point.value)
        if op[0] not in {NAME, IMPORT, CAPTURE, ATTR}:
            return None
        self._note(point)
        return self._looks[op[0]](point)

    # -- where a value comes from ----------------------------------------------------------------------------

    def _name(self, point: Point) -> list[Point]:
        program = self.program
        name = program.op(point.function, point.value)[1]
        return self._held(program.module_of[point.function], name, point)

    def _held(self, module: int, name: str, point: Point) -> list[Point]:
        held = self.program.global_value(module, name)
        return [Point(*held, point.hops)] if held is not None else []

    def _import(self, point: Point) -> list[Point]:
        op = self.program.op(point.function, point.value)
        target, _ = self.program.find_module(self.program.module_of[point.function], op[1])
        return self._held(target, op[2], point) if target >= 0 else []

    def _capture(self, point: Point) -> list[Point]:
        op = self.program.op(point.function, point.value)
        owner = self.program.function_id(point.function, op[2])
        return [Point(owner, held, point.hops) for held in self.program.functions[owner].variables.get(op[1], ())]

    def _signature(self, point: Point) -> list[Point]:
        """What a class that is a signature is for stands in its docstring."""
        kind = self.program.classes[self.program.class_id(point.function, self.program.op(*point[:2])[1])]
        told = kind.attributes.get("__doc__", 0)
        return [point.at(told)] if told else []

    def _attribute(self, point: Point) -> list[Point]:
        function, value, hops = point
        op = self.program.op(function, value)
        points: list[Point] = []
        for kind in self.graph.values.types(function, op[1]):
            if isinstance(kind.target, int):
                handed = self._is_handed(function, op[1])
                points.extend(self._field(kind.target, op[2], hops, handed=handed))
        for ref in self.graph.values.refs(function, op[1]):
            if ref.kind == "module" and isinstance(ref.target, int):
                points.extend(self._held(ref.target, op[2], point))
            elif ref.kind == "class" and isinstance(ref.target, int):
                points.extend(self._field(ref.target, op[2], hops))
        if not points and words_of(spelled(self.graph, function, op[1])) & self.graph.models.words.prompts:
            # An object that reads a table of prompts: `settings.fold_prompt.system`.
            base = self.program.op(function, op[1])
            _ = self._named(op[2], function) or (base[0] == ATTR and self._named(base[2], function))
        if not points and self.program.op(function, op[1])[0] not in {PARAM, NAME, IMPORT, CAPTURE}:
            points.append(point.at(op[1]))
        return points

    def _is_handed(self, function: int, value: int) -> bool:
        """The object, or what it is in, comes from who calls the function: they say what it was made with."""
        owner = self.program.functions[function]
        op = owner.ops[origin(owner.ops, value)]
        while op[0] in _WITHIN:
            op = owner.ops[origin(owner.ops, op[1])]
        if op[0] == CAPTURE:
            outer = self.program.function_id(function, op[2])
            return any(
                self._is_handed(outer, held) for held in self.program.functions[outer].variables.get(op[1], ())
            )
        return op[0] == PARAM and not (op[1] == 0 and has_self(owner))

    def _field(self, kind: int, name: str, hops: int, *, handed: bool = False) -> Iterator[Point]:
        if hops + self.field <= self.reach and not self._is_of_all(kind):
            values = self.graph.values
            below = list(values.fields(kind, name))
            # Many subclasses that set it say nothing about the one that this object is of.
            for holder, held in below if len(below) <= _FEW else values.fields(kind, name, below=False):
                if not self._changed_elsewhere(holder, held) and not (handed and values.is_given((holder, held))):
                    yield Point(holder, held, hops + self.field)
        for method in properties(self.program, kind, name) if hops < self.reach else ():
            for returned in self.program.functions[method].returns:
                yield Point(method, returned, hops + 1)

    def _is_of_all(self, kind: int) -> bool:
        """What is made all over the program is for any use: what it holds by itself says nothing about this one."""
        places = self.program.places("calls", self.program.classes[kind].name)
        if len(places) <= _MAX_MADE:
            return False
        home = self.program.class_of(self.start)
        return home < 0 or (kind not in self.program.ancestors(home) and home not in self.program.ancestors(kind))

    def _changed_elsewhere(self, holder: int, held: int) -> bool:
        """What other methods add to a list says what their calls ask for, not what this one does."""
        owner = self.program.functions[holder]
        return holder != self.start and owner.name not in _SETTING_UP and owner.ops[held][0] == OUT

    def _item(self, point: Point) -> list[Point]:
        op = self.program.op(point.function, point.value)
        return self._tables.entry(point, op[1], op[2])

    def _call(self, point: Point) -> list[Point]:
        function, value, hops = point
        op = self.program.op(function, value)
        if op[3] in KEYED and op[2] >= 0 and op[4] and not self.graph.targets(function, value):
            key = self.program.op(function, op[4][0])
            known = key[1] if key[0] == CONST and isinstance(key[1], str) else None
            if known is not None or self._tables.keys:
                return [*self._tables.entry(point, op[2], known), *(point.at(value) for value in op[4][1:])]
        named = [held for name, held in op[5] if is_told(name) and not is_part(name)]
        points = [point.at(operand) for operand in (*op[4], *named)]
        if op[2] >= 0:
            points.append(point.at(op[2]))
        targets = self.graph.targets(function, value)
        made = [(target.function, hops + self._costs(target.function)) for target in targets]
        if self.own and made and all(cost > hops for _, cost in made) and not self._makes_object(point):
            points = []
        reached = [(target, hops) for target, hops in made if hops <= self.reach]
        if reached:
            self._tables.keys.update(self._texts_of(function, (*op[4], *(held for _, held in op[5]))))
            returns = [
                Point(target, returned, hops)
                for target, hops in reached
                for returned in self.program.functions[target].returns
            ]
            # One of many things that may come back says nothing about the one that does.
            many = len(reached) > _FEW and op[2] >= 0 and is_own(self.program.functions[function], op[2])
            points.extend(returns if len(returns) <= _MAX_RETURNS and not many else ())
        return points

    def _costs(self, function: int) -> int:
        """A function that is named for a prompt is as good as the prompt, wherever its text is kept."""
        return 0 if words_of(self.program.functions[function].name) & self.graph.models.words.prompts else 1

    def _makes_object(self, point: Point) -> bool:
        return self.graph.name(point.function, point.value)[:1].isupper()

    def _texts_of(self, function: int, values: tuple[int, ...]) -> Iterator[str]:
        ops = self.program.functions[function].ops
        return (ops[value][1] for value in values if ops[value][0] == CONST and isinstance(ops[value][1], str))

    def _default(self, point: Point) -> list[Point]:
        owner = self.program.functions[point.function]
        index: int = self.program.op(point.function, point.value)[1]
        default = owner.parameters[index].default
        if default and owner.owner >= 0:
            return [Point(self.program.function_id(point.function, owner.owner), default, point.hops)]
        return []

    def _changed(self, point: Point) -> list[Point]:
        """`messages.append(PROMPT)` before the call: what was put in, and what was there before.

        Once an answer has been put in, what stands before it was asked by an earlier call.
        """
        op = self.program.op(point.function, point.value)
        call = self.program.op(point.function, op[2])
        if op[3] != "self" or call[0] != CALL or not call[3].startswith(tuple(_ADDS)):
            return [point.at(op[1])]
        added = [point.at(value) for value in (*call[4], *(held for _, held in call[5]))]
        if any(self._answers.are_in(*value[:2]) for value in added):
            return []
        return [point.at(op[1]), *added]
