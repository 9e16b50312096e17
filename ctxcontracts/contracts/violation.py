"""What a failed condition becomes: one of our errors, naming kind, index and id, never a text.

    icontract.require(none_pinned, error=violation(none_pinned, call="shorten(spans)"))
    guard: if not none_pinned(spans): raise explained(none_pinned, "shorten(spans)", spans=spans)

Both go through `explained`, so a contract and a guard say the same words.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeAlias, cast

from ctxcontracts.contracts import predicates as p
from ctxcontracts.contracts.explanations import EXPLANATIONS
from ctxcontracts.errors import CtxContractsError, RewritePolicyError

Predicate: TypeAlias = Callable[..., bool]
"""A condition over the arguments that its parameters name."""

_PARTS: dict[Predicate, tuple[Predicate, ...]] = {
    p.may_be_rewritten: (
        p.at_least_one,
        p.all_observed,
        p.none_repeated,
        p.none_pinned,
        p.never_rewritten_before,
    ),
    p.may_be_rederived: (p.at_least_one, p.all_derived, p.none_repeated),
    p.rewritten_from: (p.sources_not_empty, p.sources_are, p.smaller_than_sources),
    p.rederived_from: (p.sources_not_empty, p.sources_cover),
}


def explained(predicate: Predicate, call: str, /, **found: object) -> CtxContractsError:
    """The error for a condition that does not hold. A condition made of others is explained by the first that fails.

    Args:
        predicate: the condition.
        call: the call as its user wrote it, for the message; may be empty.
        found: the arguments of the condition.
    """
    for part in _PARTS.get(predicate, ()):
        arguments = {name: found[name] for name in inspect.signature(part).parameters}
        if not part(**arguments):
            return explained(part, call, **arguments)
    lead = f"{call}: " if call else ""
    explain = EXPLANATIONS.get(predicate)
    if explain is not None:
        return explain(lead, found)
    name = getattr(predicate, "__name__", type(predicate).__name__)
    return RewritePolicyError(
        f"{lead}the condition {name} does not hold", instead=f"pass arguments of which {name} is true"
    )


def violation(predicate: Predicate, /, *, call: str = "") -> Callable[..., CtxContractsError]:
    """What to pass as `error=` to `icontract.require` or `icontract.ensure`.

    Without it icontract prints the repr of every argument, which is long and may hold the user's text.

    Args:
        predicate: the same condition; one of yours is named by its name.
        call: the call as its user writes it, for the message.
    """

    def error(**found: object) -> CtxContractsError:
        return explained(predicate, call, **found)

    # icontract passes to an error function the arguments that its signature names.
    cast("_Signed", error).__signature__ = inspect.signature(predicate)
    return error


class _Signed:
    __signature__: inspect.Signature
