"""One way of telling an arrival, for all rules that report one."""

from __future__ import annotations

from ctxlint.finding import Confidence, Finding, Severity
from ctxlint.rules.advice import advice
from ctxlint.taint import Arrival, Flow

_LONG = 8
"""Functions and carriers on a way: behind more of them, one of the links may be a guess."""


def finding(arrival: Arrival, *, code: str, slug: str, severity: Severity) -> Finding:
    """The finding for a site that derived text reaches."""
    first = arrival.flows[0]
    return Finding(
        code=code,
        slug=slug,
        message=message(first),
        place=arrival.site.place,
        severity=severity,
        confidence=confidence(arrival),
        function=arrival.site.function,
        carrier=first.carrier,
        advice=advice(arrival),
        flows=tuple(flow.steps for flow in arrival.flows),
        related=arrival.related,
    )


def message(flow: Flow) -> str:
    """Both ends of a flow and its carrier in one sentence."""
    parts = [f"text written at {flow.source.place}"]
    if flow.kept is not None:
        parts.append(f" is kept in {flow.carrier} at {flow.kept}")
        if flow.read is not None:
            parts.append(f", read at {flow.read},")
    elif flow.carrier:
        parts.append(f" as {flow.carrier}")
    joint = " and reaches this call" if flow.kept is not None else " reaches this call"
    return "".join(parts) + joint


def confidence(arrival: Arrival) -> Confidence:
    """The surest flow decides: the weaker of its sites; less when a way is not sure, never high when it is long."""
    return max((_sure(arrival, flow) for flow in arrival.flows if flow.later == arrival.later), key=_sureness)


def _sure(arrival: Arrival, flow: Flow) -> Confidence:
    weaker = min(arrival.site.confidence, flow.source.confidence, key=_sureness)
    if flow.winding or (flow.straying and not flow.later):
        return Confidence.LOW
    if not flow.sure:
        weaker = weaker.lowered()
    elif flow.hops > _LONG:
        weaker = min(weaker, Confidence.MEDIUM, key=_sureness)
    return weaker.lowered() if flow.straying else weaker


def _sureness(level: Confidence) -> int:
    return -list(Confidence).index(level)
