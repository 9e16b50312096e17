"""Whether derived text that comes back is noticed (P13), and the words in which that is told."""

from __future__ import annotations

import warnings
from enum import Enum
from typing import Literal, TypeAlias

from ctxcontracts.contracts.echoes import Echo
from ctxcontracts.errors import CtxContractsError, Promise, ReentryWarning

Reentry: TypeAlias = Literal["off", "warn", "refuse"]
"""What is done: nothing; a warning; or a refusal where it is proved, and a warning where it is not."""

INSTEAD = "let the text in without the summary, or leave it out and use buffer.rederive(span, by)"


class Watch(Enum):
    """A setting, checked."""

    OFF = "off"
    WARN = "warn"
    REFUSE = "refuse"


def watch_named(given: object) -> Watch:
    """The setting of a name.

    Raises:
        CtxContractsError: when there is none of this name.
    """
    try:
        return Watch(given)
    except ValueError:
        shown = repr(given) if isinstance(given, str) and len(given) < 20 else f"a {type(given).__name__}"
        raise CtxContractsError(
            f"reentry={shown} was given, which is no setting", instead='pass reentry="off", "warn" or "refuse"'
        ) from None


def warn_of_echo(call: str, what: str, echo: Echo, *, level: int) -> None:
    """Warns that a text holds much of a derived one.

    Args:
        call: the call as the user knows it.
        what: which of its arguments.
        echo: what was heard in it.
        level: how many frames up the user's call is.
    """
    warn_of(f"{call}: {what} holds {echo}; it may be a summary that comes back as an original", level=level + 1)


def warn_of(message: str, *, level: int) -> None:
    """Warns in the words of an error of ours."""
    promise = Promise.REENTRY.value
    warnings.warn(
        f"{message}\n  this would break {promise}\n  instead: {INSTEAD}", ReentryWarning, stacklevel=level + 1
    )
