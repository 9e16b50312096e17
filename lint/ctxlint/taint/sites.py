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

from ctxlint.finding import Confidence
from ctxlint.ir.ops import ATTR, CALL, PARAM
from ctxlint.models import LlmCall
from ctxlint.taint.asking import Climber, only_constants, result_name
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.clients import Call, ModelCalls
from ctxlint.taint.names import asks_for_summary, split, words_of
from ctxlint.taint.prompts import FAR, Limits, evidence
from ctxlint.taint.site import Site
from ctxlint.taint.verbs import Verbs, marked

__all__ = ["Site", "SiteFinder"]

_PROMPT = 8
"""Words from which on a text is a prompt and no label."""
_WRAPPED = Limits(1)
_MAKER = Limits(1, field=1)
_NEAR = 2
"""Up to this level the names around a call are surely about it; above it they are only likely to be."""


class SiteFinder:
    """Looks for the summarizer sites of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self.models = graph.models
        self.sites: dict[Call, Site] = {}
        self.silent: set[Call] = set()
        """Calls that end in a model and do not summarize: what goes in does not come out as a summary."""
        self.plain: set[Call] = set()
        """Those of them that models name: not even linted code behind them is entered."""
        self._clients = ModelCalls(graph)
        self._asked: dict[Call, LlmCall] = {}

    def find(self) -> dict[Call, Site]:
        """All sites, in the order of the files."""
        self._asked = self._clients.find()
        Climber(self.graph).climb(list(self._asked), self._shows)
        for site in marked(self.graph):
            self.sites[site.function, site.call] = site
        for site in Verbs(self.graph, self._clients).find(self.sites):
            self.sites[site.function, site.call] = site
        return {key: self.sites[key] for key in sorted(self.sites)}

    def _shows(self, call: Call, level: int) -> bool:
        site = self._evidence(call, level)
        if site is not None:
            self.sites.setdefault(call, site)
            return True
        self.silent.add(call)
        if call in self._asked:
            self.plain.add(call)
        return False

    def _evidence(self, call: Call, level: int) -> Site | None:
        function, value = call
        op = self.program.op(function, value)
        if op[0] != CALL:
            return None
        found = evidence(self.graph, function, self._inputs(call), self._asked, FAR if level <= 1 else _WRAPPED)
        maker = evidence(self.graph, function, self._receiver(call), self._asked, _MAKER if level else FAR)
        if self._asks(found.texts) or (self._asks(maker.texts) and (not level or self._mostly(maker.texts))):
            return Site(function, value, "its prompt asks for a summary", Confidence.HIGH, level)
        if level and only_constants(self.program.functions[function], value):
            return None
        name = self._enclosing_name(function)
        if self._about_context(name):
            sure = Confidence.HIGH if level <= _NEAR else Confidence.MEDIUM
            return Site(function, value, f"it asks a model inside {name}()", sure, level)
        given = next((name for name in (*found.names, *maker.names) if self._telling(name)), "")
        if given and not level:
            return Site(function, value, f"it is given {given}", Confidence.HIGH, level)
        why = self._weak_evidence(call)
        return Site(function, value, why, Confidence.MEDIUM, level) if why else None

    def _asks(self, texts: Iterable[str]) -> bool:
        return any(asks_for_summary(text, self.models.words) for text in texts)

    def _mostly(self, texts: Iterable[str]) -> bool:
        """An object that was given several prompts says nothing about the one that this call uses."""
        prompts = [text for text in texts if len(text.split()) >= _PROMPT]
        asking = sum(asks_for_summary(text, self.models.words) for text in prompts)
        return 2 * asking >= len(prompts)

    def _weak_evidence(self, call: Call) -> str:
        function, value = call
        words = self.models.words
        target = result_name(self.program.functions[function], value)
        if self._about_context(target):
            return f"its result is called {target}"
        kind = self._class_around(function)
        if words_of(kind) & words.classes and not words_of(kind) & words.no_context:
            return f"it asks a model inside class {kind}"
        return ""

    def _class_around(self, function: int) -> str:
        kind = self.program.class_of(function)
        return self.program.classes[kind].name if kind >= 0 else ""

    def _telling(self, name: str) -> bool:
        """A name says what a prompt is for: `SUMMARY_PROMPT` and `prompts.condense` do, `summary` may be anything."""
        words, found = self.models.words, words_of(name)
        if found & words.no_context:
            return False
        return bool(found & words.around and found & words.prompts) or split(name)[-1] in words.verbs

    def _about_context(self, name: str) -> bool:
        """A name speaks of summaries, and not of those of questions or counters."""
        found = words_of(name)
        return bool(found & self.models.words.around) and not found & self.models.words.no_context

    def _enclosing_name(self, function: int) -> str:
        owner = self.program.functions[function]
        while owner.name == "<lambda>" and owner.owner >= 0:
            owner = self.program.functions[self.program.function_id(function, owner.owner)]
        return owner.name

    def _inputs(self, call: Call) -> tuple[int, ...]:
        function, value = call
        op = self.program.op(function, value)
        entry = self._asked.get(call)
        named = tuple(
            held for name, held in op[5] if entry is None or not entry.text or name in entry.text or name == "**"
        )
        return (*op[4], *named)

    def _receiver(self, call: Call) -> tuple[int, ...]:
        function, value = call
        base = self.program.op(function, value)[2]
        return (base,) if base >= 0 and (call in self._asked or self._component(function, base)) else ()

    def _component(self, function: int, value: int) -> bool:
        """The value is a field or was made here: how the object was set up says what its calls ask for."""
        op = self.program.op(function, value)
        return op[0] != PARAM and not (op[0] == ATTR and self.program.op(function, op[1])[0] != PARAM)
