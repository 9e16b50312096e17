"""One way of telling an arrival, for all rules that report one."""

from __future__ import annotations

from ctxlint.finding import Confidence, Finding, Severity
from ctxlint.taint import Arrival, Flow

_LONG = 8
_ORDER = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)


def finding(arrival: Arrival, *, code: str, slug: str, severity: Severity, advice: str) -> Finding:
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
        advice=advice,
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
    """The weaker of the two sites decides; a long way lowers it once more."""
    first = arrival.flows[0]
    weakest = max(_ORDER.index(arrival.site.confidence), _ORDER.index(first.source.confidence))
    if len(first.steps) > _LONG:
        weakest = min(weakest + 1, len(_ORDER) - 1)
    return _ORDER[weakest]
