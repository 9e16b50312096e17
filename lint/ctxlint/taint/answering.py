"""Which values are answers of models: what stands before one was asked by an earlier call.

    def ask(self, prompt):
        return self.llm.invoke(prompt).content      an answer, and so is each call of ask
    def next_prompt(self, turns):
        return "Now continue: " + self.ask(turns)   no answer: a new prompt is built around one

    self.model.chat_until_success(turns)            an answer by its name, however deep the model is below
    summarize_pages(pages, HOW)                     the same

Looked for a few calls deep; what was found is kept in the graph.
"""

from __future__ import annotations

from collections.abc import Container

from ctxlint.ir.ops import ATTR, BUILD, CALL, CONST, ITEM, PHI
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import split
from ctxlint.taint.operands import operands

_CHATS = frozenset({"ask", "aask", "chat", "achat"})
_ASKS = frozenset({"ask", "call", "invoke", "query", "run", "generate", "agenerate"})
_WHOM = frozenset({"llm", "lm", "model"})
_GIVES = frozenset({"answer", "completion", "content", "json", "response", "text", "success", "until", "for", "once"})
_MAX_SLICE = 200
_MAX_DEPTH = 2
_MAX_PARTS = 8
_BUILT = 40
"""Characters from which on a constant is a prompt that is built, and no label."""


class Answers:
    """Tells what the known `answers`, calls of models, come back as. What is found out is kept in the graph."""

    def __init__(self, graph: CallGraph, answers: Container[tuple[int, int]]) -> None:
        self.graph = graph
        self.program = graph.program
        self.answers = answers

    def gives(self, function: int, value: int) -> bool:
        """The value is what a model answered, here or in a function that is called."""
        key = (function, value)
        if self.program.op(*key)[0] != CALL:
            return key in self.answers
        known = self.graph.answered.get(key)
        if known is None:
            known = key in self.answers or self._named(*key)
            known = known or any(
                target.made < 0 and self._answers(target.function, 0) for target in self.graph.targets(*key)
            )
            self.graph.answered[key] = known
        return known

    def _named(self, function: int, value: int) -> bool:
        """The name of the call says that it asks a model, and nothing else: `chat`, `ask_llm`, `llm_call_json`."""
        name = self.graph.name(function, value)
        if self._summarizes(split(name)):
            return True
        found = frozenset(split(name)) - self.graph.models.words.manners - _GIVES
        if name[:1].isupper() or not found:
            return False
        return found <= _CHATS or (found <= _ASKS | _WHOM | _CHATS and bool(found & _WHOM and found - _WHOM))

    def _summarizes(self, name: tuple[str, ...]) -> bool:
        """`summarize_pages(text, HOW)` gives a summary, and no prompt; `summarize_prompt()` may give one."""
        words = self.graph.models.words
        return name[:1] != () and name[0] in words.verbs and words.prompts.isdisjoint(name)

    def are_in(self, function: int, value: int) -> bool:
        """The value is an answer, or a message made of one."""
        pending = [(value, 0)]
        while pending:
            value, depth = pending.pop()
            if self.gives(function, value):
                return True
            op = self.program.op(function, value)
            if depth < _MAX_PARTS and op[0] in {ATTR, BUILD, CALL, ITEM, PHI}:
                pending.extend((part, depth + 1) for part in operands(op))
        return False

    def _answers(self, function: int, depth: int) -> bool:
        known = self.graph.answering.get(function)
        if known is None:
            self.graph.answering[function] = False
            known = self.graph.answering[function] = self._reaches(function, depth)
        return known

    def _reaches(self, function: int, depth: int) -> bool:
        """What the function returns is made of an answer, and not built around it as a new prompt."""
        owner = self.program.functions[function]
        pending = list(owner.returns)
        seen: set[int] = set()
        while pending and len(seen) < _MAX_SLICE:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            op = owner.ops[value]
            if (function, value) in self.answers:
                return True
            if op[0] == CALL and depth < _MAX_DEPTH:
                targets = self.graph.targets(function, value)
                if any(target.made < 0 and self._answers(target.function, depth + 1) for target in targets):
                    return True
            if not any(_says(owner.ops[part]) for part in operands(op)):
                pending.extend(operands(op))
        return False


def _says(op: tuple[object, ...]) -> bool:
    return op[0] == CONST and isinstance(op[1], str) and len(op[1]) >= _BUILT
