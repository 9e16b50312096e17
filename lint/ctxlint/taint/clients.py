"""Calls of a language model itself: the public clients, the HTTP request, the field that is called like a model.

client.chat.completions.create(messages=m)      a documented client (`models/llm.toml`)
self.llm.complete(prompt)                       a neutral method of something that is named as a model
requests.post(url, json={"model": m, "messages": turns})     the request that the clients make
self.asker.generate([{"role": "system", ...}])  nobody can look into it, and it gets messages that have roles
llm(prompt)                                     the model itself is called
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir.ops import CALL, EXIT, FILTER, LOOP, PARAM, PHI
from ctxlint.models import LlmCall, Models
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import split, words_of
from ctxlint.taint.roles import has_roles
from ctxlint.taint.sending import Sending
from ctxlint.taint.spelling import spelled

_ANY = "*"
_REST = frozenset({"**"})
"""A request that was put together before: any keyword may be in it."""
_OF = frozenset({"by", "for", "from", "in", "of", "per", "to", "with"})
"""What stands behind one of these is not what the function is: `warn_once_per_agent`."""
_ONE_OF = frozenset({EXIT, FILTER, LOOP, PHI})
_CALLERS = 8
_ANYTHING = frozenset({"", "Any", "object", "typing.Any"})
_TWINS = ("_async", "_sync")
MAKES = frozenset(
    {
        "get",
        "set",
        "make",
        "build",
        "create",
        "init",
        "load",
        "new",
        "select",
        "choose",
        "pick",
        "resolve",
        "register",
    }
    | {"is", "has", "on", "parse", "log", "count", "track", "record", "supports", "validate", "format", "wrap"}
    | {
        "update",
        "list",
        "add",
        "remove",
        "close",
        "with",
        "pull",
        "push",
        "fetch",
        "find",
        "delete",
        "deploy",
        "publish",
    }
    | {"attach", "clone", "copy", "detach", "export", "lookup", "refresh", "restore", "save", "store", "upsert"}
)
"""Names that begin so give or prepare a model, unless they end in what a model gives."""
GIVEN = frozenset({"response", "completion", "completions", "reply", "answer"})

_MODELS = frozenset({"gpt", "llm", "lm", "openai", "claude"})

Call = tuple[int, int]
"""A function and a call of it."""


class ModelCalls:
    """Finds the calls at which a text leaves for a model."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self.models = graph.models
        self._sending = Sending(graph)
        self._functions: set[str] = set()
        """The last names of documented functions, and the names that they are imported under."""
        self._instances: set[str] = set()
        self._passed: dict[tuple[int, int], frozenset[str]] = {}
        called = (entry.words for entry in graph.models.by_method.get("__call__", ()))
        self._words_of_models = frozenset[str]().union(*called)

    def find(self) -> dict[Call, LlmCall]:
        """All calls of a model in the order of the files, each with the entry that describes it."""
        found: dict[Call, LlmCall] = {}
        functions = {name.rpartition(".")[2] for name in self.models.by_function}
        named = {name for module in self.program.modules for name in module.calls}
        wanted = {
            name
            for name in named
            if self._methods(name) or name in functions or self._callable(name) or self._worded(name)
        }
        self._instances = self._called_objects()
        wanted |= self._instances & named
        renamed = {alias for name in sorted(functions) for alias in sorted(self.graph.naming.imported_as(name))}
        self._functions = functions | renamed
        places = {place for name in wanted | renamed for place in self.program.places("calls", name)}
        for function, call in sorted(places):
            entry = self._entry(function, call)
            if entry is not None:
                found[function, call] = entry
        for place, held in self._handed_on(sorted(named_methods(self.models))):
            found.setdefault(place, held)
        return dict(sorted(found.items()))

    def _methods(self, name: str) -> tuple[LlmCall, ...]:
        """The entries of a method: `complete_async` is the twin of `complete`."""
        found = self.models.by_method.get(name, ())
        plain = next((name.removesuffix(twin) for twin in _TWINS if name.endswith(twin)), "")
        return found or self.models.by_method.get(plain, ())

    def _handed_on(self, methods: list[str]) -> Iterator[tuple[Call, LlmCall]]:
        """The method of a client is given to a call, or called under another name."""
        for method in methods:
            for function, read in self.program.places("attributes", method):
                entry = self._held(function, read, method)
                if entry is None:
                    continue
                for user in self._users(function, read):
                    yield from (((function, call), entry) for call in self._outermost(function, user))

    def _users(self, function: int, read: int) -> Iterator[int]:
        """The calls of what was read, or that get it, also as one of several: `ask = a.parse if t else a.create`."""
        pending, seen = [read], {read}
        while pending:
            for user in self.graph.uses(function).get(pending.pop(), ()):
                kind = self.program.op(function, user)[0]
                if user not in seen and kind == CALL:
                    yield user
                elif user not in seen and kind in _ONE_OF:
                    pending.append(user)
                seen.add(user)

    def _held(self, function: int, read: int, method: str) -> LlmCall | None:
        base = self.program.op(function, read)[1]
        for entry in self.models.by_method.get(method, ()):
            known = entry.path and self._below(spelled(self.graph, function, base), entry)
            if known or (entry.classes and self._of_class(function, base, method, entry)):
                return entry
        return None

    def _outermost(self, function: int, call: int) -> list[int]:
        """`retry(client.create)(messages=m)`: the call of what the inner call gives."""
        users = self.graph.uses(function).get(call, ())
        outer = [user for user in users if self.program.op(function, user)[:2] == (CALL, call)]
        return outer or [call]

    def followed(self, function: int, call: int) -> bool:
        """The callee is linted and does something: what it does is seen there."""
        return any(
            not self.program.functions[target.function].abstract for target in self.graph.targets(function, call)
        )

    def _callable(self, name: str) -> bool:
        return not (name and self._words_of_models.isdisjoint(words_of(name)))

    def _worded(self, name: str) -> tuple[LlmCall, ...]:
        """Methods that are known by one of their words alone: `llm.chat_with_retry`."""
        found = split(name)
        if not found or (found[0] in MAKES and found[-1] not in GIVEN):
            return ()
        return tuple(entry for entry in self.models.by_method.get(_ANY, ()) if entry.last.intersection(found))

    def _called_objects(self) -> set[str]:
        """The names of objects of documented classes that are called themselves: `pipe = pipeline(...)`."""
        entries = self.models.by_method.get("__call__", ())
        classes = {name.rpartition(".")[2] for entry in entries for name in entry.classes}
        words = {word for entry in entries if not entry.last for word in entry.words}
        called = {name for module in self.program.modules for name in module.calls}
        makers = {name for name in called if not name[:1].isupper() and words.intersection(split(name)[1:][-1:])}
        found: set[str] = set()
        for maker in sorted(classes | makers):
            for function, call in self.program.places("calls", maker):
                found.add(self.program.functions[function].names.get(call, "").rpartition(".")[2])
        return found - {""}

    def _entry(self, function: int, call: int) -> LlmCall | None:
        op = self.program.op(function, call)
        name = self.graph.name(function, call)
        for dotted in self._dotted(function, call) if name in self._functions else ():
            entry = self.models.by_function.get(dotted)
            if entry is not None and (not entry.starts or self._sending.starts(function, call, entry)):
                return entry
        keywords = {keyword for keyword, _ in op[5]}
        spoken = self._given(function, call, name, keywords)
        if spoken is not None or op[2] < 0:
            return spoken or self._requested(function, call, name) or self._direct(function, call, name)
        for entry in (*self._methods(name), *self._worded(name)):
            if entry.refuse & keywords or (entry.keywords and not keywords & (entry.keywords | _REST)):
                continue
            if entry.payload:
                if self._sending.sends(function, call, entry) if entry.text else self._told(function, call):
                    return entry
            elif self._receiver_fits(function, call, entry):
                return entry
        return self._direct(function, call, name)

    def _requested(self, function: int, call: int, name: str) -> LlmCall | None:
        """`urlopen(request)`, `post(url, json=body)`: a function of a library that sends."""
        sent = [entry for entry in self._methods(name) if entry.payload and entry.text]
        if not sent or self.followed(function, call):
            return None
        return next((entry for entry in sent if self._sending.sends(function, call, entry)), None)

    def _given(self, function: int, call: int, name: str, keywords: set[str]) -> LlmCall | None:
        """An entry that knows a call by what it is given: a conversation, and beside it how to answer."""
        for entry in self._worded(name) if not name[:1].isupper() else ():
            if entry.beside & keywords and entry.keywords & keywords and not entry.refuse.intersection(split(name)):
                return None if self.followed(function, call) else entry
        return None

    def _dotted(self, function: int, call: int) -> Iterator[str]:
        op = self.program.op(function, call)
        yield from self.graph.values.callee_names(function, op)
        if op[2] >= 0 and not self.followed(function, call):
            # A module that is loaded late stands behind an object of the same name.
            yield f"{spelled(self.graph, function, op[2])}.{op[3]}"

    def _direct(self, function: int, call: int, name: str) -> LlmCall | None:
        callee = self.program.op(function, call)[1]
        name = name or self._taken(function, callee)
        found = split(name)
        entries = self.models.by_method.get("__call__", ())
        for held in self.called(function, call):
            for entry in entries if self.graph.values.types(*held) else ():
                if self._of_class(*held, "__call__", entry):
                    return entry
        if not found or (name[:1].isupper() and not ("_" in name and name.isupper())):
            return None  # an object is made
        given = self._made_by(function, callee)
        for entry in entries:
            named = self._named_as(found, entry) or (not entry.last and not given.isdisjoint(entry.words))
            if named and not self._only_set_up(function, call, entry) and not self.followed(function, call):
                return entry
        return None

    def _made_by(self, function: int, value: int) -> frozenset[str]:
        """What made an object is named for it: `self._build_llm(schema)` gives an llm, whatever it is called then."""
        if value < 0:
            return frozenset()
        names = [self.graph.name(function, made) for made in self.graph.values.same(function, value)]
        return _MODELS.intersection(word for name in names if not name[:1].isupper() for word in split(name)[-1:])

    def called(self, function: int, call: int) -> tuple[Call, ...]:
        """What is called itself: the values that `self.step(...)` finds in the field, or the callee."""
        op = self.program.op(function, call)
        if op[1] >= 0:
            return ((function, op[1]),)
        if op[3] not in self._instances:
            return ()
        kinds = self.graph.values.types(function, op[2]) if op[2] >= 0 else ()
        own = [kind.target for kind in kinds if isinstance(kind.target, int)]
        return tuple(held for kind in own for held in self.graph.values.fields(kind, op[3]))

    def _only_set_up(self, function: int, call: int, entry: LlmCall) -> bool:
        """`custom_llm(model_name=name, temperature=0)` is told how to answer, not what to: it makes a model."""
        op = self.program.op(function, call)
        keywords = {keyword for keyword, _ in op[5]}
        return not op[4] and keywords <= entry.refuse

    def _taken(self, function: int, callee: int) -> str:
        """What a callee without a name was taken from, or given by: `HANDLERS[key](...)`, `llm_handler(key)(...)`."""
        if callee < 0:
            return ""
        if self.program.op(function, callee)[0] == CALL:
            given = self.graph.name(function, callee)
            return given.removeprefix("_").removeprefix("get_")
        return spelled(self.graph, function, callee).partition("[")[0].rpartition(".")[2]

    @staticmethod
    def _named_as(found: tuple[str, ...], entry: LlmCall) -> bool:
        """A function is named as a model, or as something that holds one: `call_llm`, `llm_func`."""
        if (found[0] in MAKES and found[-1] not in GIVEN) or _OF.intersection(found[-2:-1]):
            return False
        if not entry.last:
            return bool(entry.words.intersection(found[-1:]))
        ends = entry.last.intersection((found[-1], "_".join(found[-2:])))
        return bool(ends and entry.words.intersection(found))

    def _receiver_fits(self, function: int, call: int, entry: LlmCall) -> bool:
        op = self.program.op(function, call)
        text = spelled(self.graph, function, op[2])
        if self._below(text, entry) or self._of_class(function, op[2], op[3], entry):
            return True
        last = text.rpartition(".")[2]
        named = words_of(last) | self._made_by(function, op[2])
        if entry.words.isdisjoint(named) and entry.words.isdisjoint(self._passed_as(function, op[2])):
            return False
        outside = any(ref.kind == "external" for ref in self.graph.values.refs(function, op[2]))
        return not outside and not self.followed(function, call)

    def _passed_as(self, function: int, value: int) -> frozenset[str]:
        """What an object is called that the few callers of a function pass: `with_retries(self.llm, turns)`."""
        op = self.program.op(function, self.graph.values.same(function, value)[-1])
        owner = self.program.functions[function]
        index: int = op[1] if op[0] == PARAM else 0
        own = op[0] != PARAM or (owner.class_index >= 0 and index == 0)
        if own or owner.parameters[index].annotation not in _ANYTHING:
            return frozenset()
        known = self._passed.get((function, op[1]))
        if known is None:
            callers = self.graph.callers(function)
            names = (
                {self._argument(*place, op[1], op[2]) for place in callers}
                if len(callers) <= _CALLERS
                else set[str]()
            )
            known = self._passed[function, op[1]] = frozenset(word for name in names for word in words_of(name))
        return known

    def _argument(self, caller: int, call: int, index: int, name: str) -> str:
        """The last name of what a call of a function passes."""
        op = self.program.op(caller, call)
        if op[0] != CALL or op[2] >= 0:
            return ""
        value = next((held for key, held in op[5] if key == name), op[4][index] if index < len(op[4]) else -1)
        return spelled(self.graph, caller, value).rpartition(".")[2] if value >= 0 else ""

    @staticmethod
    def _below(text: str, entry: LlmCall) -> bool:
        return any(text == path or text.endswith("." + path) for path in entry.path)

    def _of_class(self, function: int, base: int, method: str, entry: LlmCall) -> bool:
        kinds = self.graph.values.types(function, base)
        return any(not entry.classes.isdisjoint(self._class_names(kind.target, method)) for kind in kinds)

    def _class_names(self, target: int | str, method: str) -> set[str]:
        """The name of a class, and of the linted base that it has the method from."""
        if not isinstance(target, int):
            last = target.rpartition(".")[2]
            return {last, target, f"{target.partition('.')[0]}.{last}"}
        holders = (kind for kind in self.program.ancestors(target) if method in self.program.classes[kind].methods)
        return {self.program.classes[kind].name for kind in (target, next(holders, target))}

    def _told(self, function: int, call: int) -> bool:
        """A call that nobody can look into gets messages, each with the role of who says it."""
        op = self.program.op(function, call)
        given = (*op[4], *(value for _, value in op[5]))
        if not any(has_roles(self.graph, function, value) for value in given):
            return False
        return self._declared_only(function, op[2], op[3]) or not self.followed(function, call)

    def _declared_only(self, function: int, receiver: int, method: str) -> bool:
        """The receiver's class says that there is such a method and leaves it to others."""
        kinds = self.graph.values.types(function, receiver)
        found = [self.program.method(kind.target, method) for kind in kinds if isinstance(kind.target, int)]
        return any(held >= 0 and self.program.functions[held].abstract for held in found)


def named_methods(models: Models) -> set[str]:
    """The methods of documented clients, whose receiver's path or class is known."""
    return {
        name for name, entries in models.by_method.items() if any(entry.path or entry.classes for entry in entries)
    }
