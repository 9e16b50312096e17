"""Calls that nobody can look into, known by their name alone, and functions that are marked as summarizers.

@summarizer def shorten(turns)       every call of it is a site
memory.summarize(chat)               a verb
self.condenser.run(chat)             the name of an agent that does it
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Confidence
from ctxlint.ir.ops import CALL, CONST, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.clients import Call, ModelCalls
from ctxlint.taint.names import split, words_of
from ctxlint.taint.site import Site
from ctxlint.taint.spelling import last_name, spelled

_CONVERSATIONS = frozenset(
    {"conversation", "conversations", "dialogue", "history", "memories", "messages", "transcript", "turns"}
)
_COPIES = frozenset({"list", "tuple", "copy", "deepcopy", "sorted"})


def marked(graph: CallGraph) -> Iterator[Site]:
    """The calls of functions that wear a marker decorator."""
    flow, program = graph.models.flow, graph.program
    for function, owner in enumerate(program.functions):
        for decorator in owner.decorators:
            if decorator.rpartition(".")[2] not in flow.marker_decorators:
                continue
            ref = program.look_up(program.module_of[function], decorator)
            if ref is None or str(ref.target).partition(".")[0] not in flow.marker_modules:
                continue
            for caller, call in graph.callers(function):
                yield Site(caller, call, f"{owner.name}() is marked as a summarizer", Confidence.HIGH, 1)


class Verbs:
    """Finds unresolved calls whose name says that they summarize."""

    def __init__(self, graph: CallGraph, models: ModelCalls) -> None:
        self.graph = graph
        self.program = graph.program
        self.words = graph.models.words
        self.calls = models
        self._telling = self.words.verbs | self.words.weak_verbs | self.words.agents
        self._agents: dict[str, bool] = {}

    def find(self, known: set[Call] | dict[Call, Site]) -> Iterator[Site]:
        """Those that are not `known` already."""
        for index, module in enumerate(self.program.modules):
            first = self.program.first_function[index]
            for name, places in module.calls.items():
                if not name or name[0].isupper():
                    continue
                told = bool(words_of(name) & self._telling)
                makes = name in self.words.runs or self._makes(split(name))
                for local, call in places:
                    key = (first + local, call)
                    if not told and not self._of_agent(key, makes=makes):
                        continue  # nearly all
                    if key not in known and self._unresolved(key) and self._says(key, name):
                        yield Site(*key, f"the call is named {self._spelled(key, name)}()", Confidence.MEDIUM)

    def _spelled(self, key: Call, name: str) -> str:
        op = self.program.op(*key)
        if op[2] < 0 or words_of(name) & self.words.around:
            return name
        return f"{spelled(self.graph, key[0], op[2]).rpartition('.')[2]}.{name}"

    def _says(self, key: Call, name: str) -> bool:
        op = self.program.op(*key)
        found = split(name)
        if self.words.looks.intersection(found[:1]):
            return False  # `should_summarize(turns)` only asks
        if (name in self.words.runs or self._makes(found)) and self._of_summarizer(key, op):
            return True
        if any(word in self.words.verbs for word in found[:2]):
            return not self._leads_to_code(key, op)
        if self.words.weak_verbs.intersection(found[:1]):
            near = words_of(name) | words_of(spelled(self.graph, key[0], op[2]) if op[2] >= 0 else "")
            about = near & self.words.context or self._gets_conversation(key, op)
            return bool(about) and not self._refs(key, op, found)
        return self._runs_agent(key, op, name) and not self._leads_to_code(key, op)

    def _gets_conversation(self, key: Call, op: Op) -> bool:
        """What is compressed is named as a conversation: `compress(self.messages)`; one message says nothing."""
        given = (*op[4], *(held for _, held in op[5]))
        names = (last_name(self.graph, key[0], self._copied(key[0], value)) for value in given)
        return any(split(name)[-1:] and split(name)[-1] in _CONVERSATIONS for name in names)

    def _copied(self, function: int, value: int) -> int:
        """What a copy is made of: `list(messages)`."""
        op = self.program.op(function, value)
        copies = op[0] == CALL and len(op[4]) == 1 and self.graph.name(function, value) in _COPIES
        return op[4][0] if copies else value

    def _makes(self, found: tuple[str, ...]) -> bool:
        """`create_summary`, `agenerate_recap`."""
        return bool(found[-1:] and found[-1] in self.words.nouns and self.words.makes & {found[0], found[0][1:]})

    def _of_summarizer(self, key: Call, op: Op) -> bool:
        """The receiver is of a class that nobody can look into, and whose name says that it summarizes."""
        kinds = self.graph.values.types(key[0], op[2]) if op[2] >= 0 else ()
        names = [kind.target.rpartition(".")[2] for kind in kinds if isinstance(kind.target, str)]
        return any(words_of(name) & self.words.classes for name in names)

    def _runs_agent(self, key: Call, op: Op, name: str) -> bool:
        """The agent itself is called, or by one of the method names that models and agents are asked by."""
        if self.words.agents.intersection(split(name)[-1:]):
            return True
        holder = split(spelled(self.graph, key[0], op[2]).rpartition(".")[2]) if op[2] >= 0 else ()
        return bool(self.words.agents.intersection(holder[-1:])) and name in self.graph.models.by_method

    def _refs(self, key: Call, op: Op, found: tuple[str, ...]) -> bool:
        """It is known who does it: the program, or a module like `zlib`; a function that is imported says it all."""
        refs = self.graph.values.refs(key[0], op[2] if op[2] >= 0 else op[1])
        told = op[2] < 0 and len(found) > 1
        return any(ref.kind != "external" or not told for ref in refs)

    def _leads_to_code(self, key: Call, op: Op) -> bool:
        refs = self.graph.values.refs(key[0], op[2] if op[2] >= 0 else op[1])
        return op[2] >= 0 and any(ref.kind in {"class", "function"} for ref in refs)

    def _of_agent(self, key: Call, *, makes: bool) -> bool:
        """An agent is called, or what makes summaries."""
        op = self.program.functions[key[0]].ops[key[1]]
        if op[2] < 0:
            return False
        holder = last_name(self.graph, key[0], op[2])
        known = self._agents.get(holder)
        if known is None:
            known = self._agents[holder] = bool(words_of(holder) & self.words.agents)
        return known or (makes and self._of_summarizer(key, op))

    def _unresolved(self, key: Call) -> bool:
        op = self.program.op(*key)
        inputs = (*op[4], *(value for _, value in op[5]))
        if not inputs or all(self.program.op(key[0], value)[0] == CONST for value in inputs):
            return False
        return not self.calls.followed(*key)
