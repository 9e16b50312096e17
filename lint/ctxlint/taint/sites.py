"""Summarizer sites: the calls that let a model rewrite context, each with what shows it.

    def fold(llm, lines):
        return llm.invoke("Condense these lines: " + lines)      site: a modelled call, by its prompt
    def ask(prompt):
        return client.chat.completions.create(messages=...)      no site: nothing here speaks of summaries ...
    def summarize(chat):
        return ask("Summarize: " + chat)                         ... but this call of it is one, a level up
    memory.summarize(chat)                                       site: a verb on a callee that nobody can look into

The strongest evidence is a marker decorator, then the prompt, then the names around the call, then a verb.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ctxlint.finding import Confidence
from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, CALL, CONST, ITEM, PARAM
from ctxlint.models import LlmCall
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import asks_for_summary, split, words_of
from ctxlint.taint.operands import operands
from ctxlint.taint.prompts import evidence
from ctxlint.taint.spelling import spelled

_MAX_LEVEL = 2
_MAX_CALLERS = 400


@dataclass(frozen=True, slots=True)
class Site:
    """A call that summarizes. `why` tells a reader what shows it; `level` counts the wrappers below it."""

    function: int
    call: int
    why: str
    confidence: Confidence
    level: int = 0


class SiteFinder:
    """Looks for the summarizer sites of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self.models = graph.models
        self.sites: dict[tuple[int, int], Site] = {}
        self._asked: set[tuple[int, int]] = set()
        self.silent: set[tuple[int, int]] = set()
        """Calls of a model that do not summarize: what goes in does not come out as a summary."""
        self.plain: set[tuple[int, int]] = set()
        """Those of them that models name: not even linted code behind them is entered."""

    def find(self) -> dict[tuple[int, int], Site]:
        """All sites, in the order of the files."""
        calls = self._model_calls()
        self._asked.update((function, call) for function, call, _ in calls)
        for level in range(_MAX_LEVEL + 1):
            calls = self._classify(calls, level)
        self._marked()
        self._verbs()
        return {key: self.sites[key] for key in sorted(self.sites)}

    # -- calls of a model ------------------------------------------------------------------------------------

    def _model_calls(self) -> list[tuple[int, int, LlmCall | None]]:
        found: list[tuple[int, int, LlmCall | None]] = []
        functions = {name.rpartition(".")[2] for name in self.models.by_function}
        for index, module in enumerate(self.program.modules):
            places = [
                place
                for name, named in module.calls.items()
                if name in self.models.by_method or name in functions or self._callable(name)
                for place in named
            ]
            for local, call in sorted(places):
                function = self.program.first_function[index] + local
                entry = self._entry(function, call)
                if entry is not None:
                    found.append((function, call, entry))
        return found

    def _callable(self, name: str) -> bool:
        return any(words_of(name) & entry.words for entry in self.models.by_method.get("__call__", ()))

    def _entry(self, function: int, call: int) -> LlmCall | None:
        op = self.program.op(function, call)
        for dotted in self.graph.values.callee_names(function, op):
            entry = self.models.by_function.get(dotted)
            if entry is not None:
                return entry
        name = self.graph.name(function, call)
        entries = self.models.by_method.get(name, ())
        if op[2] < 0 or not entries:
            return self._direct(function, call, name)
        keywords = {keyword for keyword, _ in op[5]}
        for entry in entries:
            if entry.refuse & keywords or (entry.keywords and not entry.keywords & keywords):
                continue
            if self._receiver_fits(function, call, entry):
                return entry
        return self._direct(function, call, name)

    def _direct(self, function: int, call: int, name: str) -> LlmCall | None:
        """`llm(prompt)`: the model itself is called."""
        for entry in self.models.by_method.get("__call__", ()):
            last = split(name)[-1:]
            if entry.words.intersection(last) and not self._followed(function, call):
                return entry
        return None

    def _receiver_fits(self, function: int, call: int, entry: LlmCall) -> bool:
        op = self.program.op(function, call)
        text = spelled(self.graph, function, op[2])
        if any(text == path or text.endswith("." + path) for path in entry.path):
            return True
        kinds = self.graph.values.types(function, op[2])
        if any(not entry.classes.isdisjoint(self._class_names(kind.target, op[3])) for kind in kinds):
            return True
        last = text.rpartition(".")[2]
        if not entry.words & words_of(last):
            return False
        outside = any(ref.kind == "external" for ref in self.graph.values.refs(function, op[2]))
        return not outside and not self._followed(function, call)

    def _class_names(self, target: int | str, method: str) -> set[str]:
        """The name of a class, and of the linted base that it has the method from."""
        if not isinstance(target, int):
            return {target.rpartition(".")[2]}
        holders = (kind for kind in self.program.ancestors(target) if method in self.program.classes[kind].methods)
        return {self.program.classes[kind].name for kind in (target, next(holders, target))}

    def _followed(self, function: int, call: int) -> bool:
        """The callee is linted and does something: what it does is seen there."""
        return any(
            not self.program.functions[target.function].abstract for target in self.graph.targets(function, call)
        )

    # -- evidence --------------------------------------------------------------------------------------------

    def _classify(
        self, calls: list[tuple[int, int, LlmCall | None]], level: int
    ) -> list[tuple[int, int, LlmCall | None]]:
        wrappers: dict[tuple[int, int], None] = {}
        for function, call, entry in calls:
            site = self._evidence(function, call, entry, level)
            if site is not None:
                self.sites.setdefault((function, call), site)
                continue
            self.silent.add((function, call))
            if entry is not None:
                self.plain.add((function, call))
            if level < _MAX_LEVEL and returned(self.program.functions[function].ops, self._ends(function), call):
                callers = self.graph.callers(function)
                if len(callers) <= _MAX_CALLERS:
                    wrappers.update(dict.fromkeys(callers))
        return [(*key, None) for key in sorted(wrappers) if key not in self.sites and key not in self.silent]

    def _ends(self, function: int) -> frozenset[int]:
        owner = self.program.functions[function]
        return frozenset((*owner.returns, *owner.yields))

    def _evidence(self, function: int, call: int, entry: LlmCall | None, level: int) -> Site | None:
        op = self.program.op(function, call)
        if op[0] != CALL:
            return None
        found = evidence(self.graph, function, self._inputs(function, call, entry), self._asked)
        if any(asks_for_summary(text, self.models.words) for text in found.texts):
            return Site(function, call, "its prompt asks for a summary", Confidence.HIGH, level)
        name = self._enclosing_name(function)
        if words_of(name) & self.models.words.around:
            return Site(function, call, f"it asks a model inside {name}()", Confidence.HIGH, level)
        why = self._weak_evidence(function, call, found.names if level == 0 else ())
        return Site(function, call, why, Confidence.MEDIUM, level) if why else None

    def _weak_evidence(self, function: int, call: int, names: Iterable[str]) -> str:
        words = self.models.words
        owner = self.program.functions[function]
        for name in names:
            if self._telling(words_of(name)):
                return f"it is given {name}"
        target = result_name(owner, call)
        if words_of(target) & words.around:
            return f"its result is called {target}"
        kind = self.program.class_of(function)
        if (
            kind >= 0
            and (function, call) in self._asked
            and words_of(self.program.classes[kind].name) & words.classes
        ):
            return f"it asks a model inside class {self.program.classes[kind].name}"
        return ""

    def _telling(self, found: frozenset[str]) -> bool:
        """A name says what a prompt is for: `SUMMARY_PROMPT` does, `summary` may be anything."""
        words = self.models.words
        return bool(found & words.classes) or bool(found & words.around and found & words.prompts)

    def _enclosing_name(self, function: int) -> str:
        owner = self.program.functions[function]
        while owner.name == "<lambda>" and owner.owner >= 0:
            owner = self.program.functions[self.program.function_id(function, owner.owner)]
        return owner.name

    def _inputs(self, function: int, call: int, entry: LlmCall | None) -> tuple[int, ...]:
        op = self.program.op(function, call)
        named = tuple(
            value for name, value in op[5] if entry is None or not entry.text or name in entry.text or name == "**"
        )
        receiver = (op[2],) if op[2] >= 0 and (entry is not None or self._component(function, op[2])) else ()
        return (*op[4], *named, *receiver)

    def _component(self, function: int, value: int) -> bool:
        """The value is a field: how the object was set up says what its calls ask for."""
        op = self.program.op(function, value)
        return bool(op[0] == ATTR and self.program.op(function, op[1])[0] == PARAM)

    # -- markers and verbs -----------------------------------------------------------------------------------

    def _marked(self) -> None:
        flow = self.models.flow
        for function, owner in enumerate(self.program.functions):
            for decorator in owner.decorators:
                if decorator.rpartition(".")[2] not in flow.marker_decorators:
                    continue
                ref = self.program.look_up(self.program.module_of[function], decorator)
                if ref is None or str(ref.target).partition(".")[0] not in flow.marker_modules:
                    continue
                for caller, call in self.graph.callers(function):
                    site = Site(caller, call, f"{owner.name}() is marked as a summarizer", Confidence.HIGH, 1)
                    self.sites[caller, call] = site

    def _verbs(self) -> None:
        words = self.models.words
        for index, module in enumerate(self.program.modules):
            for name, places in module.calls.items():
                found = split(name)
                verb = next((word for word in found[:2] if word in words.verbs), "")
                weak = not verb and bool(words.weak_verbs.intersection(found[:1]))
                if not verb and not weak:
                    continue
                for local, call in places:
                    self._verb(self.program.first_function[index] + local, call, name, weak=weak)

    def _verb(self, function: int, call: int, name: str, *, weak: bool) -> None:
        key = (function, call)
        op = self.program.op(function, call)
        inputs = (*op[4], *(value for _, value in op[5]))
        if key in self.sites or self.graph.targets(function, call) or not inputs:
            return
        if name[:1].isupper() or all(self.program.op(function, value)[0] == CONST for value in inputs):
            return
        refs = self.graph.values.refs(function, op[2] if op[2] >= 0 else op[1])
        if weak:
            around = words_of(name) | words_of(spelled(self.graph, function, op[2])) if op[2] >= 0 else words_of(name)
            if refs or not around & self.models.words.context:
                return
        elif op[2] >= 0 and any(ref.kind in {"class", "function"} for ref in refs):
            return
        self.sites[key] = Site(function, call, f"the call is named {name}()", Confidence.MEDIUM)


def result_name(function: FunctionIR, call: int) -> str:
    """What the result of a call is called, or the one thing that is read from it (`model.invoke(x).content`)."""
    name = function.names.get(call, "")
    for value in range(call + 1, len(function.ops)):
        if name or (function.spans[value] is not None and function.ops[value][0] not in {ATTR, ITEM}):
            break
        op = function.ops[value]
        if op[0] in {ATTR, ITEM} and op[1] == call:
            call, name = value, function.names.get(value, "")
    return name


def returned(ops: tuple[tuple[object, ...], ...], ends: frozenset[int], call: int) -> bool:
    """The result of a call, or something made of it, is returned."""
    pending = list(ends)
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if value == call:
            return True
        if value not in seen:
            seen.add(value)
            pending.extend(operands(ops[value]))
    return False
