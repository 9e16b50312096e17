"""What `@derives` does around each call of one function, whatever kind of function it is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from weakref import WeakKeyDictionary

from ctxcontracts.contracts.echoes import Echoes, runs_of
from ctxcontracts.contracts.error_text import looks_like_error
from ctxcontracts.contracts.reentry import Arguments, Given, refuse_reentry
from ctxcontracts.contracts.registry import DerivedCall, DerivedRegistry, digest_of_whole
from ctxcontracts.contracts.watch import Watch
from ctxcontracts.errors import Promise, Rejection, SummaryRejected
from ctxcontracts.spans.functions import name_of
from ctxcontracts.spans.mark import OPEN, mark
from ctxcontracts.spans.running import summarizing
from ctxcontracts.spans.text import DerivedStr

_LISTENING = threading.Lock()
_HEARD: WeakKeyDictionary[DerivedRegistry, Echoes] = WeakKeyDictionary()


def echoes_of(registry: DerivedRegistry) -> Echoes:
    """What is heard of the calls that this process has put into a registry, by whatever function."""
    with _LISTENING:
        try:
            return _HEARD.setdefault(registry, Echoes())
        except TypeError:  # a registry of somebody else's that cannot be weakly held
            return Echoes()


class Derivation:
    """One decorated function: what it is called, where its calls are registered, what is heard of them."""

    def __init__(
        self, function: Callable[..., object], registry: DerivedRegistry, *, mark: bool, watch: Watch
    ) -> None:
        self.name: str = name_of(function)
        self.marks = mark
        self._registry = registry
        self._watch = watch
        self._echoes = echoes_of(registry)
        self._arguments = Arguments(function)

    def check(self, args: tuple[object, ...], kwargs: dict[str, object]) -> Given:
        """Refuses arguments that hold an earlier derived text; gives the texts among them.

        Raises:
            DerivedAgainError: when one does.
        """
        named = self._arguments.named(args, kwargs)
        return refuse_reentry(self.name, named, self._registry, watch=self._watch, echoes=self._echoes)

    def running(self) -> AbstractContextManager[None]:
        """The time in which the function itself runs."""
        return summarizing(self.name)

    def finished(self, result: object, given: Given) -> object:
        """The result of a call, registered; as it is where there is nothing to register.

        Args:
            result: what the function returned.
            given: the texts of its arguments. One that it gave back unchanged is still what it was.

        Raises:
            SummaryRejected: when it is neither a `str` nor None.
            ColdStoreError: when it cannot be registered.
        """
        if result is None:
            return None
        text = self.text(result)
        if isinstance(result, DerivedStr) or OPEN in text:
            return DerivedStr(text)  # of a call inside this one, registered there
        if not text.strip() or looks_like_error(text):
            return result
        if digest_of_whole(text) in given.digests:
            return result
        call_id = self._registry.new_id()
        self.register(call_id, text, given)
        return DerivedStr(f"{mark(call_id)} {text}") if self.marks else DerivedStr(text)

    def text(self, result: object) -> str:
        """A result or a chunk as a plain `str`.

        Raises:
            SummaryRejected: when it is none.
        """
        if not isinstance(result, str):
            raise SummaryRejected(
                f"{self.name}, which is under @derives, gave a {type(result).__name__}, not a str",
                reason=Rejection.NOT_TEXT,
                promise=Promise.NO_FAILED_SUMMARY,
                instead="return the text of the summary, or put @derives on the function inside that writes it",
            )
        return str.__str__(result)

    def begun(self, given: Given) -> Written:
        """A text that is being streamed, from these arguments."""
        return Written(self, self._registry.new_id(), given)

    def register(self, call_id: str, text: str, given: Given) -> None:
        """Registers a whole text, which has no mark, and listens for it from now on.

        Raises:
            ColdStoreError: when it cannot be.
        """
        if self._watch is not Watch.OFF:
            self._echoes.add(call_id, runs_of(text, without=given.texts))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._registry.register(
            DerivedCall(id=call_id, digest=digest_of_whole(text), length=len(text), function=self.name, when=now)
        )


class Written:
    """What a stream has written so far."""

    def __init__(self, derivation: Derivation, call_id: str, given: Given) -> None:
        self._derivation = derivation
        self._given = given
        self._id = call_id
        self._chunks: list[str] = []
        self._begun = False

    def take(self, chunk: object) -> DerivedStr:
        """A chunk as the caller gets it: the first with something in it carries the mark.

        Raises:
            SummaryRejected: when it is no `str`.
        """
        text = self._derivation.text(chunk)
        self._chunks.append(text)
        if self._begun or not text.strip():
            return DerivedStr(text)
        self._begun = True
        marked = self._derivation.marks and OPEN not in text
        return DerivedStr(f"{mark(self._id)} {text}" if marked else text)

    def end(self) -> None:
        """Registers what was written, if it is a summary.

        Raises:
            ColdStoreError: when it cannot be.
        """
        text = "".join(self._chunks)
        if not text.strip() or OPEN in text or looks_like_error(text):
            return
        if digest_of_whole(text) not in self._given.digests:
            self._derivation.register(self._id, text, self._given)
