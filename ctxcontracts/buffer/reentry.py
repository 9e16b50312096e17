"""What a buffer does when derived text comes back as an original (P13). Its mark is for the doors: they refuse it."""

from __future__ import annotations

from collections.abc import Iterable

from ctxcontracts.buffer.plan import Arrival
from ctxcontracts.buffer.window import Window
from ctxcontracts.contracts.reentry import SHORTEST_KNOWN
from ctxcontracts.contracts.watch import INSTEAD, Watch, warn_of, warn_of_echo
from ctxcontracts.errors import Promise, ReentryError
from ctxcontracts.spans.record import digest_of

_TO_THE_USER = 4
"""Frames from a warning up to the call of `observe`, without its contract."""


def listen(watch: Watch, window: Window, arrivals: Iterable[Arrival], call: str) -> None:
    """Looks for the derived texts of a window in what arrives.

    Args:
        watch: what is done about it.
        window: the window.
        arrivals: the texts.
        call: the call as the user knows it.

    Raises:
        ReentryError: when a whole text is a derived one, and that is to be refused.
    """
    if watch is Watch.OFF or not window.wholes:
        return
    for index, arrival in enumerate(arrivals):
        whole = _whole(window, arrival)
        if whole is not None:
            what = f"{call}: text {index} is the whole text of {whole}"
            if watch is Watch.REFUSE:
                raise ReentryError(what, promise=Promise.REENTRY, instead=INSTEAD)
            warn_of(what, level=_TO_THE_USER)
            continue
        echo = window.echoes.heard(arrival.text)
        if echo is not None:
            warn_of_echo(call, f"text {index}", echo, level=_TO_THE_USER)


def _whole(window: Window, arrival: Arrival) -> str | None:
    """The derived span whose whole text arrives, white space at its ends apart."""
    text = arrival.text.strip()
    if len(text) < SHORTEST_KNOWN:
        return None
    return window.wholes.get(arrival.digest if len(text) == len(arrival.text) else digest_of(text))
