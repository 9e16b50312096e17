"""The contracts of the public functions, or nothing in their place.

    @require(may_be_rewritten, call="buffer.rewrite(spans, by)")
    @ensure(rewritten_from, call="buffer.rewrite(spans, by)")
    def rewrite(self, spans, by, ...): ...

With `CTXCONTRACTS_CONTRACTS=off` in the environment (or `0`, `false`), and under `python -O`, all decorators
give the function back as it is and icontract is not imported. The guards stay: they are the safety, these the spec.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias, TypeVar, cast

from ctxcontracts.contracts.kinds import each
from ctxcontracts.contracts.violation import Predicate, violation

F = TypeVar("F", bound=Callable[..., Any])
_Options: TypeAlias = tuple[tuple[object, ...], dict[str, object]]


class Contract(Protocol):
    """A decorator that gives a function back under its own signature, whatever the checker."""

    def __call__(self, function: F, /) -> F:
        """The function under the contract."""
        ...


SWITCH: Final = "CTXCONTRACTS_CONTRACTS"
"""The environment variable that turns the contracts off. It is read once, when the library is imported."""

CONTRACTS_ON: Final[bool] = __debug__ and os.environ.get(SWITCH, "on").strip().lower() not in {"off", "0", "false"}
"""Whether the public functions of this process carry their contracts."""


def require(predicate: Predicate, /, *, call: str = "") -> Contract:
    """A condition on the arguments, checked before the call; its failure is one of our errors.

    Args:
        predicate: a named condition whose parameters are parameters of the function.
        call: the call as its user writes it, for the message.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415 - 80 ms, paid only where contracts are on

    return icontract.require(predicate, error=violation(predicate, call=call))


def ensure(predicate: Predicate, /, *, call: str = "") -> Contract:
    """A condition on the result, checked after the call; its failure is one of our errors.

    Args:
        predicate: a named condition over `result` and the parameters of the function.
        call: the call as its user writes it, for the message.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415

    return icontract.ensure(predicate, error=violation(predicate, call=call))


def snapshot(capture: Callable[..., object], /, *, name: str) -> Contract:
    """A value taken before the call, for conditions that read `OLD.name`.

    Args:
        capture: a named function of parameters of the function.
        name: its name in `OLD`.
    """
    if not CONTRACTS_ON:
        return _unchanged
    import icontract  # noqa: PLC0415

    return icontract.snapshot(capture, name=name)


def over_spans(*contracts: Contract) -> Contract:
    """Contracts on a method `(self, spans, by, /, *args, **kwargs)` that runs code of the user.

    Both ends judge the same spans, also where `spans` is a list to which somebody appends meanwhile. An option may
    have any name: icontract refuses some and takes others for the parameters of the condition.

    Args:
        contracts: what `require` and `ensure` gave.
    """
    if not CONTRACTS_ON:
        return _unchanged

    def decorate(method: F) -> F:
        def checked(call: Callable[..., Any]) -> Any:
            for contract in reversed(contracts):
                call = contract(cast("F", call))
            return call

        if inspect.iscoroutinefunction(method):

            async def arun(self: object, spans: object, by: object, _options: _Options) -> object:
                return await method(self, spans, by, *_options[0], **_options[1])

            arun_checked = checked(arun)

            @functools.wraps(method)
            async def awith(self: object, spans: object, by: object, /, *args: Any, **kwargs: Any) -> object:
                return await arun_checked(self, _settled(spans), by, (args, kwargs))

            return cast("F", awith)

        def run(self: object, spans: object, by: object, _options: _Options) -> object:
            return method(self, spans, by, *_options[0], **_options[1])

        run_checked = checked(run)

        @functools.wraps(method)
        def with_contracts(self: object, spans: object, by: object, /, *args: Any, **kwargs: Any) -> object:
            return run_checked(self, _settled(spans), by, (args, kwargs))

        return cast("F", with_contracts)

    return decorate


def _settled(spans: object) -> object:
    """The spans in a form that nobody can change: a collection as a tuple, all else as it is."""
    taken = each(spans)
    return spans if len(taken) == 1 and taken[0] is spans else taken


def _unchanged(function: F) -> F:
    return function
