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

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from ctxlint.finding import Confidence
from ctxlint.ir.ops import ATTR, CALL, CONST, PARAM
from ctxlint.models import LlmCall
from ctxlint.taint.asking import Climber, only_constants, result_name
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.carried import carried
from ctxlint.taint.class_prompts import ClassPrompts
from ctxlint.taint.clients import GIVEN, Call, ModelCalls
from ctxlint.taint.guesses import Guesses
from ctxlint.taint.heads import Named, asks, named
from ctxlint.taint.names import asks_for_summary, split, words_of
from ctxlint.taint.prompts import FAR, Evidence, Limits, evidence, is_told
from ctxlint.taint.purposes import asks_for_answer, asks_for_repair, asks_for_verdict
from ctxlint.taint.scripts import is_scripted
from ctxlint.taint.selves import is_own
from ctxlint.taint.site import Site
from ctxlint.taint.spelling import spelled
from ctxlint.taint.unknown import gives_vectors
from ctxlint.taint.verbs import Verbs, marked

__all__ = ["Site", "SiteFinder"]

_PROMPT = 8
"""Words from which on a text is a prompt and no label."""
_PROMPTED = "its prompt asks for a summary"
_WRAPPED = Limits(1)
_MAKER = Limits(1, field=1)
_HERE = Limits(0, own=True)
_WRITTEN = Limits(-1, own=True)
_MANY = 60
"""So many functions that end in a model are looked into for what a function does, the nearest first."""
_PROVIDERS = 4
_TESTS = frozenset({"test", "tests"})
_GIVEN = frozenset({"after", "before", "for", "from", "using", "with", "without"})
"""A summary behind one of these is what a function works with: `answer_with_summary` writes an answer."""
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
        self._climber = Climber(graph)
        self._class_prompts = ClassPrompts(graph)
        self._class_told: dict[Call, tuple[str, ...]] = {}
        self._asked: dict[Call, LlmCall] = {}
        self._others: set[int] = set()
        """Functions that let another object ask its model, or have a question answered."""
        self._settled: set[Call] = set()
        """Calls that are known to ask for something else: who calls their functions asks for no summary."""

    def find(self) -> dict[Call, Site]:
        """All sites, in the order of the files."""
        self._asked = self._clients.find()
        self._guesses = Guesses(self._clients, self._class_prompts, self._asks)
        self._asked.update(self._guesses.find(self._asked))
        self._climber.climb(list(self._asked), self._shows)
        Climber(self.graph).climb(self._guesses.faint, self._tells)
        self._inner_rounds()
        self._drop_outer_calls()
        for site in marked(self.graph):
            self.sites[site.function, site.call] = site
        for site in Verbs(self.graph, self._clients).find(self.sites):
            self.sites[site.function, site.call] = site
        return {key: self.sites[key] for key in sorted(self.sites)}

    def _drop_outer_calls(self) -> None:
        """A call known by a name alone, of a function that holds a site: that one is nearer the model."""
        holding = {function for function, _ in self.sites}
        for call, site in sorted(self.sites.items()):
            targets = self.graph.targets(*call) if site.level and site.why != _PROMPTED else ()
            if any(target.function in holding and target.function != call[0] for target in targets):
                del self.sites[call]

    def _inner_rounds(self) -> None:
        """A prompt is passed to a function that asks with it round by round: each round is a call of its own."""
        asking: dict[int, list[Call]] = {}
        for call in sorted(self.silent):
            asking.setdefault(call[0], []).append(call)
        prompted = {call for call, site in self.sites.items() if site.why == _PROMPTED}
        for outer, site in sorted(self.sites.items()):
            targets = self.graph.targets(*outer) if site.level and site.why == _PROMPTED else ()
            called = dict.fromkeys(target.function for target in targets)
            if len(called) > 1:
                continue  # one of many clients, whose rounds say nothing of this call
            askers = (caller for function in called for caller in self.graph.askers(function))
            if not prompted.issuperset(caller for caller in askers if caller[0] not in called):
                continue  # it runs any agent, whose rounds are its own work
            inner = [call for function in called for call in asking.get(function, ()) if carried(self.graph, *call)]
            for call in inner:
                why = "it is asked with its last answer"
                self.sites.setdefault(call, Site(*call, why, Confidence.MEDIUM, site.level - 1))
                self.silent.discard(call)
                self.plain.discard(call)
            if inner:
                del self.sites[outer]  # the calls inside are nearer the model

    def _shows(self, call: Call, level: int) -> bool:
        site = self._evidence(call, level)
        if site is not None:
            self.sites.setdefault(call, site)
            return True
        self.silent.add(call)
        if not self._of_class(call, level):
            self._others.add(call[0])
        if call in self._asked:
            self.plain.add(call)
        return call in self._settled

    def _tells(self, call: Call, level: int) -> bool:
        """A call that leads to what may be a model is a summarizer where it brings the prompt itself."""
        if call not in self.sites and call not in self.silent:
            name = self._enclosing_name(call[0])
            if level and self._guesses.tells(call, self._asked):
                self.sites[call] = Site(*call, _PROMPTED, Confidence.MEDIUM, level)
            elif not level and named(name, self.models.words) is Named.MAINLY and not self._only_looks(name):
                self.sites[call] = Site(*call, f"it asks a model inside {name}()", Confidence.MEDIUM, level)
        return level >= _NEAR or call in self.sites or call in self.silent

    def _evidence(self, call: Call, level: int) -> Site | None:
        function, value = call
        op = self.program.op(function, value)
        if op[0] != CALL or gives_vectors(self.graph.name(function, value)):
            return None
        found = evidence(self.graph, function, self._inputs(call), self._asked, FAR if level <= 1 else _WRAPPED)
        place, receiver = self._made(call)
        maker = evidence(self.graph, place, receiver, self._asked, _MAKER if level else FAR)
        made_to = self._mostly if level else self._some
        if self._some(found.texts, self._asks) or made_to(maker.texts, self._asks):
            if is_scripted(self.graph, function, value, self._inputs(call)) or not self._says_so(call, level):
                return None
            return Site(function, value, _PROMPTED, Confidence.HIGH, level)
        if self._mostly(self._class_texts(call), self._asks):
            return Site(function, value, _PROMPTED, Confidence.HIGH, level)
        site = self._named(call, level, found, maker)
        return None if site is not None and level > _NEAR and self._only_uses(call) else site

    def _class_texts(self, call: Call) -> Iterator[str]:
        """What the class of the object that is asked says by itself."""
        for place in self._class_prompts.asked(*call):
            if place not in self._class_told:
                self._class_told[place] = tuple(
                    evidence(self.graph, place[0], place[1:], self._asked, _WRITTEN).texts
                )
            yield from self._class_told[place]

    def _says_so(self, call: Call, level: int) -> bool:
        """The prompt that was found is what this call says, and not just what came along on the way to the model."""
        switch = level > 0 and self._one_of_many(call)
        if not (switch or (level > _NEAR and self._only_uses(call))):
            return True
        limits = _WRITTEN if switch else _HERE
        return self._some(evidence(self.graph, call[0], self._inputs(call), self._asked, limits).texts, self._asks)

    def _one_of_many(self, call: Call) -> bool:
        """Its function puts the same to whichever provider is set: what for, says who calls it."""
        function = call[0]
        ops = self.program.functions[function].ops
        given = {value for value in self._inputs(call) if ops[value][0] != CONST}
        same = {user for value in given for user in self.graph.uses(function).get(value, ()) if ops[user][0] == CALL}
        asks = self._climber.asks
        return sum(any(t.function in asks for t in self.graph.targets(function, user)) for user in same) >= _PROVIDERS

    def _only_uses(self, call: Call) -> bool:
        """A call far above the model uses what asks it: it is not named for that, or the one below does it."""
        name, words = self.graph.name(*call), self.models.words
        owner = self.program.functions[call[0]]
        agree = named(owner.name, words) and self._about_context(result_name(owner, call[1]))
        return not (agree or asks(name, words)) or named(name, words) is Named.MAINLY or self._known_below(call)

    def _named(self, call: Call, level: int, found: Evidence, maker: Evidence) -> Site | None:
        """What the names around a call say, where no prompt says more."""
        function, value = call
        if level and only_constants(self.program.functions[function], value):
            return None
        if self._mostly(found.texts, asks_for_verdict):
            self._settled.add(call)
            return None
        name = self._enclosing_name(function)
        reads = level and self._gets(self.graph.name(function, value))
        head = named(name, self.models.words)
        if head is Named.PARTLY and not asks(self.graph.name(function, value), self.models.words):
            head = Named.NOT
        if head and not (reads or (level and self._only_looks(name))):
            sure = Confidence.HIGH if level <= _NEAR else Confidence.MEDIUM
            return Site(function, value, f"it asks a model inside {name}()", sure, level)
        given = next((name for name in (*found.names, *maker.names) if self._telling(name)), "")
        if given and not level and not self._about_else(name):
            return Site(function, value, f"it is given {given}", Confidence.HIGH, level)
        if any(map(asks_for_answer, found.texts)):
            self._others.add(function)
            return None
        other = reads or any(map(asks_for_repair, found.texts))
        why = "" if other else self._weak_evidence(call, level, found)
        return Site(function, value, why, Confidence.MEDIUM, level) if why else None

    def _known_below(self, call: Call) -> bool:
        """What the function is named for is done by a call nearer the model, which is known: this way is another."""
        known = {function for function, _ in self.sites}
        pending = [(target.function, 1) for target in self.graph.targets(*call)]
        seen = {function for function, _ in pending}
        while pending and len(seen) < _MANY:
            function, depth = pending.pop(0)
            if function in known:
                return True
            for value, op in enumerate(self.program.functions[function].ops):
                for target in self.graph.targets(function, value) if op[0] == CALL else ():
                    leads = depth < _NEAR or target.function in known or target.function in self._climber.asks
                    if leads and target.function not in seen:
                        seen.add(target.function)
                        pending.append((target.function, depth + 1))
        return False

    def _asks(self, text: str) -> bool:
        return asks_for_summary(text, self.models.words)

    @staticmethod
    def _some(texts: Iterable[str], asks: Callable[[str], bool]) -> bool:
        return any(map(asks, texts))

    @staticmethod
    def _mostly(texts: Iterable[str], asks: Callable[[str], bool]) -> bool:
        """Of several prompts that an object or a call is given, one says nothing about the one that is used."""
        texts = tuple(texts)
        prompts = [text for text in texts if len(text.split()) >= _PROMPT]
        return any(map(asks, texts)) and 2 * sum(map(asks, prompts)) >= len(prompts)

    def _weak_evidence(self, call: Call, level: int, found: Evidence) -> str:
        """The name of the result, if the call is named for asking; of the class, if no prompt says something else."""
        function, value = call
        words = self.models.words
        target = result_name(self.program.functions[function], value)
        if self._about_context(target) and (not level or asks(self.graph.name(function, value), words)):
            return f"its result is called {target}"
        kind = words_of(self._class_around(function))
        named = kind & words.classes or (kind & words.around and kind & words.context)  # `SummaryMemory`
        if not named or kind & (words.no_context | _TESTS) or not self._of_class(call, level):
            return ""
        if any(len(text.split()) >= _PROMPT for text in found.texts):
            return ""
        return f"it asks a model inside class {self._class_around(function)}"

    def _of_class(self, call: Call, level: int) -> bool:
        """The call is the class's own work: it runs its own code, or asks what is named as a model.

        What another object (a retriever, a ranker) asks its model for is not told by the name of who uses it.
        """
        op = self.program.op(*call)
        if not level:
            return True
        own = op[2] >= 0 and is_own(self.program.functions[call[0]], op[2])
        kind = self.program.class_of(call[0])
        if op[2] < 0 or (own and kind >= 0 and self.program.method(kind, op[3]) >= 0):
            return self._others.isdisjoint(target.function for target in self.graph.targets(*call))
        # `self.chain(text)` calls what the field holds.
        named = words_of(op[3] if own else spelled(self.graph, call[0], op[2]).rpartition(".")[2])
        return any(named & entry.words for entry in self.models.llm)

    def _class_around(self, function: int) -> str:
        kind = self.program.class_of(function)
        return self.program.classes[kind].name if kind >= 0 else ""

    def _gets(self, name: str) -> bool:
        """The call only gets something, which may be made by a model deep inside: `memory.get(session)`."""
        found = split(name)
        return (found[:1] == ("get",) and found[-1] not in GIVEN) or self._only_looks(name)

    def _only_looks(self, name: str) -> bool:
        """The function looks at summaries or sets something up: `should_compact`, `load_summary`."""
        return not self.models.words.looks.isdisjoint(split(name)[:1])

    def _telling(self, name: str) -> bool:
        """A name says what a prompt is for: `SUMMARY_PROMPT` and `prompts.condense` do, `summary` may be anything."""
        words, found = self.models.words, words_of(name)
        if found & words.no_context:
            return False
        return bool(found & words.around and found & words.prompts) or split(name)[-1] in words.verbs

    def _about_context(self, name: str) -> bool:
        """A name speaks of summaries, and not of those of questions or counters."""
        found = split(name)
        around = self.models.words.around
        made = any(word in around and before not in _GIVEN for before, word in pairwise(("", *found)))
        return made and self.models.words.no_context.isdisjoint(found)

    def _about_else(self, name: str) -> bool:
        """A name says what is condensed, and it is no context: a question, a counter."""
        found = words_of(name)
        return bool(found & self.models.words.around and found & self.models.words.no_context)

    def _enclosing_name(self, function: int) -> str:
        owner = self.program.functions[function]
        while owner.name == "<lambda>" and owner.owner >= 0:
            owner = self.program.functions[self.program.function_id(function, owner.owner)]
        return owner.name

    def _inputs(self, call: Call) -> tuple[int, ...]:
        function, value = call
        op = self.program.op(function, value)
        entry = self._asked.get(call)
        asked: frozenset[str] = entry.text if entry is not None else frozenset()
        named = tuple(held for name, held in op[5] if name == "**" or (name in asked if asked else is_told(name)))
        return (*op[4], *named)

    def _made(self, call: Call) -> tuple[int, tuple[int, ...]]:
        """What is asked, and where it stands: of `self.step(...)` what the field holds."""
        entry = self._asked.get(call)
        held = (
            self._clients.called(*call) if entry is not None and entry.classes and "__call__" in entry.methods else ()
        )
        return (held[0][0], (held[0][1],)) if len(held) == 1 else (call[0], self._receiver(call))

    def _receiver(self, call: Call) -> tuple[int, ...]:
        function, value = call
        base = self.program.op(function, value)[2]
        return (base,) if base >= 0 and (call in self._asked or self._component(function, base)) else ()

    def _component(self, function: int, value: int) -> bool:
        """The value is a field or was made here: how the object was set up says what its calls ask for."""
        op = self.program.op(function, value)
        return op[0] != PARAM and not (op[0] == ATTR and self.program.op(function, op[1])[0] != PARAM)
