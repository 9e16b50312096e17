"""The contracts of the public functions, or nothing in their place.

    @require(may_be_rewritten, call="buffer.rewrite(spans, by)")
    @ensure(rewritten_from, call="buffer.rewrite(spans, by)")
    def rewrite(self, spans, by, ...): ...

With `CTXCONTRACTS_CONTRACTS=off` in the environment (or `0`, `false`), and under `python -O`, all three decorators
give the function back as it is and icontract is not imported. The guards stay: they are the safety, these the spec.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar

from ctxcontracts.contracts.violation import Predicate, violation

F = TypeVar("F", bound=Callable[..., Any])

SWITCH: Final = "CTXCONTRACTS_CONTRACTS"
"""The environment variable that turns the contracts off. It is read once, when the library is imported."""

CONTRACTS_ON: Final[bool] = __debug__ and os.environ.get(SWITCH, "on").strip().lower() not in {"off", "0", "false"}
"""Whether the public functions of this process carry their contracts."""


def require(predicate: Predicate, /, *, call: str = "") -> Callable[[F], F]:
    """A condition on the arguments, checked before the call; its failure is one of our errors.

    Args:
        predicate: a named condition whose parameters are parameters of the function.
        call: the call as its user writes it, for the message.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415 - 80 ms, paid only where contracts are on

    return icontract.require(predicate, error=violation(predicate, call=call))


def ensure(predicate: Predicate, /, *, call: str = "") -> Callable[[F], F]:
    """A condition on the result, checked after the call; its failure is one of our errors.

    Args:
        predicate: a named condition over `result` and the parameters of the function.
        call: the call as its user writes it, for the message.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415

    return icontract.ensure(predicate, error=violation(predicate, call=call))


def snapshot(capture: Callable[..., object], /, *, name: str) -> Callable[[F], F]:
    """A value taken before the call, for conditions that read `OLD.name`.

    Args:
        capture: a named function of parameters of the function.
        name: its name in `OLD`.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415

    return icontract.snapshot(capture, name=name)


def _unchanged(function: F) -> F:
    return function
