"""The cheapest fix that fits a site, in the names of its own code.

A marker that is already written needs one test; originals that are still there need one other argument; else a marker
has to be written, or summaries have to be kept side by side.
"""

from __future__ import annotations

from ctxlint.taint import Arrival, Carrying, Flow


def advice(arrival: Arrival) -> str:
    """What to change so that no derived text reaches the site."""
    flow = arrival.flows[0]
    if not flow.later:
        return _merged(arrival)
    if flow.marker is not None and (flow.collection or flow.kind is Carrying.STORE):
        there = flow.marker.place
        file = "" if there.path == arrival.site.place.path else f" of {there.path}"
        return (
            f"Leave out of this call's input what {flow.marker.text}: that is already written next to the "
            f"summary, in line {there.line}{file}."
        )
    if arrival.originals is not None and arrival.originals.kept and flow.kind not in _INSIDE:
        return (
            f"Summarize from {arrival.originals.name}, which still holds the originals, and leave "
            f"{flow.carrier or 'the earlier summary'} out of the input."
        )
    return _BY_KIND[flow.kind](arrival, flow)


def _merged(arrival: Arrival) -> str:
    carrier = arrival.flows[0].carrier
    merged = f"the summaries in {carrier}" if carrier else "them"
    kept = arrival.originals is not None and arrival.originals.kept and arrival.originals.name != carrier
    what = arrival.originals.name if kept and arrival.originals is not None else "the originals"
    return (
        f"Summarize {what} in one call, or keep the summaries of the parts side by side instead of merging {merged}."
    )


def _variable(arrival: Arrival, flow: Flow) -> str:
    if flow.collection and flow.over:
        return _field(arrival, flow)
    over = f"each of {flow.over}" if flow.over else "each part"
    carrier = flow.carrier or "the last summary"
    return (
        f"Summarize {over} by itself and keep the summaries side by side in a list, instead of passing {carrier} "
        "into the next round."
    )


def _field(arrival: Arrival, flow: Flow) -> str:
    carrier = flow.carrier or "the earlier summary"
    if flow.collection:
        return (
            f"Mark the summary when you put it into {carrier} (for example is_summary=True) and leave what is marked "
            "out of this call's input."
        )
    if arrival.extends:
        return (
            f"Ask for a summary of the new text alone instead of one that extends {carrier}, and put it beside the "
            "earlier ones."
        )
    lost = ""
    if arrival.originals is not None:
        lost = f" ({arrival.originals.name} is cut in {_last(arrival.site.function)}(): keep what it held)"
    return f"Keep the originals{lost} and summarize from them, or put each new summary beside {carrier}."


def _store(arrival: Arrival, flow: Flow) -> str:
    carrier = flow.carrier or "the store"
    if arrival.extends:
        return _field(arrival, flow)
    return (
        f"Give the summary a kind of its own where it is stored ({carrier}) and leave that kind out when this call's "
        "input is read, or read the originals again."
    )


def _recursion(arrival: Arrival, _flow: Flow) -> str:
    name = _last(arrival.site.function)
    return (
        f"Pass originals, not summaries, to the next level of {name}(), or return the summaries of the parts side "
        "by side."
    )


def _last(qualname: str) -> str:
    return qualname.rpartition(".")[2]


_INSIDE = frozenset({Carrying.VARIABLE, Carrying.RECURSION})
"""What comes back within one call: the fields of an object say nothing about it."""

_BY_KIND = {
    Carrying.VARIABLE: _variable,
    Carrying.FIELD: _field,
    Carrying.STATE: _field,
    Carrying.STORE: _store,
    Carrying.RECURSION: _recursion,
    Carrying.ONCE: _field,
}
