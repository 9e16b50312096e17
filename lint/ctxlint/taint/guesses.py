"""Calls of what nobody knows, which are taken for calls of a model by what they are told.

    self.backbone.generate("Condense the talk so far: " + lines)     no name, no class: but only a model is told so
    self.complete("Condense the talk so far: " + lines)              the same of a function that was handed in
    (PROMPT | self.engine | parser).invoke({"lines": lines})         the prompt is a part of what is asked
    talk = Talk(system=PROMPT); talk.reply()                         ... or what it was made with
    self.backbone.generate(prompt)                                   faint: whoever brings the prompt is elsewhere
    self.ui.ask("Please summarize the ticket")                       a person is asked

The method is named as models are asked, its result is used, and the prompt stands in the function itself or is a
constant. Of the faint ones, the calls of their functions are asked the same, no further than two up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, CONST, FILTER, IMPORT, LOOP, NAME, OUT, PARAM, Op
from ctxlint.models import LlmCall
from ctxlint.taint.class_prompts import ClassPrompts
from ctxlint.taint.clients import MAKES, Call, ModelCalls
from ctxlint.taint.names import split, words_of
from ctxlint.taint.operands import operands
from ctxlint.taint.prompts import FAR, Limits, evidence, is_told
from ctxlint.taint.spelling import spelled

_TWINS = ("_async", "_sync", "_fn", "_func")
_HERE = Limits(0, own=True)
_GUESS = LlmCall("A call of an unknown object that is told to rewrite context")
_NUMBERS = frozenset({"input_ids", "attention_mask", "pixel_values"})
_MODELS = frozenset({"chat", "claude", "gemini", "gpt", "llama", "llm", "lm", "openai"})
"""A class of another library that is named so, and that no model file describes, may be a model."""
_ASKS = frozenset(
    {"ask", "aask", "call", "chat", "achat", "complete", "acomplete", "completion", "completions", "execute"}
    | {"generate", "agenerate", "infer", "invoke", "ainvoke", "predict", "apredict", "query", "reply", "respond"}
    | {"response", "run"}
)
"""A function or method that begins or ends so asks somebody something."""
_OF_PEOPLE = frozenset({"ask", "aask", "prompt"})
_RUNS = frozenset({"ask", "call", "complete", "execute", "invoke", "query", "run"})
_NAMES = frozenset({"claude", "gemini", "gpt", "llm", "lm", "openai"})
_LABELS = frozenset({"description", "file", "id", "label", "name", "path", "title", "topic", "url"})
"""What is passed under one of these is told to nobody."""
_TEXTS = frozenset({"message", "messages", "prompt", "template"})
_NAMED = {NAME: 1, IMPORT: 2, ATTR: 2, CAPTURE: 1}
_MAX_VALUES = 60
_PROMPT = 8
"""Words from which on a text is a prompt and no label."""


class Guesses:
    """Finds the calls that only their prompt shows to be calls of a model."""

    def __init__(self, clients: ModelCalls, classes: ClassPrompts, asks: Callable[[str], bool]) -> None:
        self.graph = clients.graph
        self.program = clients.program
        self.words = clients.models.words
        self._clients = clients
        self._asks = asks
        self._classes = classes
        self.faint: list[Call] = []
        """Calls by the names of models, which somebody else may have told what to do."""

    def find(self, known: dict[Call, LlmCall]) -> dict[Call, LlmCall]:
        """Those that are not `known` already."""
        candidates = sorted(self._candidates(known))
        answers = {*known, *candidates}  # what one of them gives is an answer to the others
        found = {call: _GUESS for call in candidates if self._is_told(call, answers)}
        self.faint = [call for call in candidates if call not in found and self._is_prompted(call)]
        return found

    def tells(self, call: Call, answers: set[Call] | dict[Call, LlmCall]) -> bool:
        """The call gives a prompt that stands in its own function."""
        op = self.program.op(*call)
        return any(map(self._asks, evidence(self.graph, call[0], self._given(op), answers, _HERE).texts))

    def _candidates(self, known: dict[Call, LlmCall]) -> Iterator[Call]:
        names = {name for module in self.program.modules for name in module.calls}
        for name in sorted(filter(self._asking, names)):
            for call in self.program.places("calls", name):
                if call not in known and self._may_be_told(call) and self._unknown(call):
                    yield call

    def _may_be_told(self, call: Call) -> bool:
        """Something may tell the call what to do: a text near by, its receiver, or whoever calls its function."""
        function, op = call[0], self.program.op(*call)
        if self._is_prompted(call) or self._holds_text(function, self._given(op)):
            return True
        if op[2] < 0 or self.program.op(function, op[2])[0] == PARAM:
            return False
        runs = not self.words.runnable.isdisjoint(split(op[3])) or self._is_set_up(function, op)
        return runs or bool(self._classes.asked(function, call[1]))

    def _given(self, op: Op) -> tuple[int, ...]:
        return (*op[4], *(held for name, held in op[5] if is_told(name) and not words_of(name) & _LABELS))

    def _holds_text(self, function: int, values: tuple[int, ...]) -> bool:
        """What is given may be made of a constant text: half of all calls pass on what they got."""
        ops = self.program.functions[function].ops
        pending, seen = list(values), set[int]()
        while pending and len(seen) < _MAX_VALUES:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            op = ops[value]
            if op[0] == CONST:
                if isinstance(op[1], str) and " " in op[1]:
                    return True
            elif op[0] in _NAMED:
                if self._names_text(str(op[_NAMED[op[0]]])):
                    return True
            elif op[0] == CALL:
                if self._names_text(self.graph.name(function, value)):
                    return True
                pending.extend(operands(op))
            else:
                pending.extend(operands(op))
        return len(seen) >= _MAX_VALUES

    def _names_text(self, name: str) -> bool:
        return name.isupper() or not self.words.prompts.isdisjoint(words_of(name))

    def _asking(self, name: str) -> bool:
        found = tuple(word for word in split(name) if word not in self.words.manners)
        if name[:1].isupper() or not found:
            return False
        if self._as_models(name):
            return True
        first, last, several = found[0], found[-1], len(found) > 1
        if several and (first in MAKES or (last in _TEXTS and first not in _RUNS)):
            return False  # `get_completion_config`, `chat_prompt`: something for a model
        return first in _ASKS or last in _ASKS or not _NAMES.isdisjoint(found)

    def _as_models(self, name: str) -> bool:
        plain = next((name.removesuffix(twin) for twin in _TWINS if name.endswith(twin)), name).lstrip("_")
        return plain in self.words.prompted

    def _is_prompted(self, call: Call) -> bool:
        """A neutral method of models gets something that a caller may have put a prompt in."""
        function, op = call[0], self.program.op(*call)
        given = (*op[4], *(held for name, held in op[5] if is_told(name)))
        return (
            op[2] >= 0
            and self._as_models(op[3])
            and any(self.program.op(function, held)[0] == PARAM for held in given)
        )

    def _unknown(self, call: Call) -> bool:
        """No linted code is behind it, and its result is used."""
        function, value = call
        op = self.program.op(*call)
        if not (op[4] or op[5] or op[2] >= 0) or any(keyword in _NUMBERS for keyword, _ in op[5]):
            return False
        owner = self.program.functions[function]
        if not (self.graph.uses(function).get(value) or value in owner.returns or value in owner.yields):
            return False
        if op[2] < 0:
            return self._handed_in(function, op) and not self._clients.followed(*call)
        return self._of_nobody(function, op) and not self._clients.followed(*call)

    def _handed_in(self, function: int, op: Op) -> bool:
        """A function that is no class, and that is not linted."""
        kinds = {ref.kind for ref in self.graph.values.refs(function, op[1])}
        return not kinds or (kinds == {"external"} and self._by_itself(function, op))

    def _by_itself(self, function: int, op: Op) -> bool:
        """A function of another module is named as those of models; `click.prompt(text)` asks a person."""
        name = op[3] if op[2] >= 0 else spelled(self.graph, function, op[1])
        return self._as_models(name) and name not in _OF_PEOPLE

    def _of_nobody(self, function: int, op: Op) -> bool:
        """A method of an object whose class is not known, or named as a model."""
        if self.words.people & words_of(spelled(self.graph, function, op[2]).rpartition(".")[2]):
            return False
        known = [kind.target for kind in self.graph.values.types(function, op[2]) if isinstance(kind.target, str)]
        named = [words_of(name.rpartition(".")[2]) for name in known]
        if known and not any(self._may_be_model(name, op[3]) for name in named):
            return False  # a class that is known, and no model
        made = self._made(function, op[2])
        by = self.graph.values.refs(function, made[1]) if made[0] == CALL and made[2] < 0 else ()
        if any(ref.kind == "external" for ref in by):
            return False  # what a function of another library gives
        outside = any(ref.kind in {"external", "module"} for ref in self.graph.values.refs(function, op[2]))
        return not outside or self._by_itself(function, op)

    def _may_be_model(self, named: frozenset[str], method: str) -> bool:
        """A class of another library is named as models are, or has the methods that only they have."""
        if (_TEXTS | self.words.people) & named:
            return False
        return bool(_MODELS & named) or (self._as_models(method) and method not in _OF_PEOPLE)

    def _made(self, function: int, value: int) -> Op:
        made = self.program.op(function, value)
        while made[0] in {LOOP, FILTER}:
            made = self.program.op(function, made[1])
        return made

    def _is_told(self, call: Call, answers: set[Call]) -> bool:
        if self.tells(call, answers):
            return True
        function, op = call[0], self.program.op(*call)
        if op[2] < 0 or self.program.op(function, op[2])[0] == PARAM:
            return False
        own = [evidence(self.graph, *place, answers, _HERE).texts for place in self._class_prompts(call)]
        if self._mostly([text for texts in own for text in texts]):
            return True
        if not self.words.runnable & set(split(op[3])) and not self._is_set_up(function, op):
            return False
        return self._mostly(evidence(self.graph, function, (op[2],), answers, FAR).texts)

    def _class_prompts(self, call: Call) -> Iterator[tuple[int, tuple[int, ...]]]:
        return ((function, (value,)) for function, value in self._classes.asked(*call))

    def _mostly(self, texts: Iterable[str]) -> bool:
        prompts = [text for text in texts if len(text.split()) >= _PROMPT]
        return any(map(self._asks, texts)) and 2 * sum(map(self._asks, prompts)) >= len(prompts)

    def _is_set_up(self, function: int, op: Op) -> bool:
        """What is asked was made here with something that is named as a prompt, or was told something before."""
        made = self._made(function, op[2])
        if made[0] == OUT:
            told = self.program.op(function, made[2])
            return bool(told[0] == CALL and made[3] == "self")
        given = made[5] if made[0] == CALL else ()
        return any(words_of(keyword) & self.words.prompts for keyword, _ in given)
