"""The words for each condition that can fail: what happened, which promise, what to write instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from ctxcontracts.contracts import predicates as p
from ctxcontracts.contracts.kinds import RewriteLedger, each, id_of, is_one, kind_of
from ctxcontracts.errors import (
    BrokenPromiseError,
    CtxContractsError,
    PinnedSpanError,
    Promise,
    ProvenanceError,
    Rejection,
    RewritePolicyError,
    SummaryRejected,
)
from ctxcontracts.spans.holding import where_derived
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan

Found: TypeAlias = Mapping[str, object]
"""The arguments of the condition, by name."""

_REDERIVE = "to redo a derived span use buffer.rederive(span, by)"


def _place(spans: object, index: int) -> str:
    return "spans" if is_one(spans) else f"spans[{index}]"


def _first_not(spans: object, *kinds: type) -> tuple[int, object]:
    """The first item of another kind, with its index."""
    return next((index, span) for index, span in enumerate(each(spans)) if type(span) not in kinds)


def _not_observed(lead: str, found: Found) -> CtxContractsError:
    index, span = _first_not(found["spans"], ObservedSpan)
    what = kind_of(span) if not isinstance(span, DerivedSpan) else f"the DerivedSpan {span.id}"
    return RewritePolicyError(
        f"{lead}{_place(found['spans'], index)} is {what}, not an ObservedSpan",
        promise=Promise.OBSERVED_ONLY,
        instead=f"pass observed spans, one or a list of them; {_REDERIVE}",
    )


def _not_derived(lead: str, found: Found) -> CtxContractsError:
    index, span = _first_not(found["spans"], DerivedSpan)
    what = kind_of(span) if not isinstance(span, ObservedSpan) else f"the ObservedSpan {span.id}"
    return RewritePolicyError(
        f"{lead}{_place(found['spans'], index)} is {what}, not a DerivedSpan",
        promise=Promise.AUDITABLE,
        instead="pass derived spans; an observed span is summarized with buffer.rewrite(span, by)",
    )


def _no_span(lead: str, found: Found) -> CtxContractsError:
    index, span = _first_not(found["spans"], ObservedSpan, DerivedSpan)
    return ProvenanceError(
        f"{lead}{_place(found['spans'], index)} is {kind_of(span)}, not a span",
        promise=Promise.PROVENANCE,
        instead="pass a span of buffer.spans",
    )


def _none_given(lead: str, _found: Found) -> CtxContractsError:
    return RewritePolicyError(
        f"{lead}spans is empty",
        promise=Promise.AUDITABLE,
        instead="pass at least one span; a summary of nothing has no source",
    )


def _repeated(lead: str, found: Found) -> CtxContractsError:
    first: dict[str, int] = {}
    taken = enumerate(map(id_of, each(found["spans"])))
    index, span_id = next((i, span_id) for i, span_id in taken if first.setdefault(span_id, i) != i)
    return RewritePolicyError(
        f"{lead}spans[{index}] is {span_id}, which spans[{first[span_id]}] is already",
        promise=Promise.SINGLE_REWRITE,
        instead="pass each span once",
    )


def _pinned(lead: str, found: Found) -> CtxContractsError:
    index, span = next((i, s) for i, s in enumerate(each(found["spans"])) if not p.none_pinned(s))
    return PinnedSpanError(
        f"{lead}{_place(found['spans'], index)} is {id_of(span)}, which is pinned",
        promise=Promise.PINNED,
        instead="leave it out: [span for span in spans if not span.pinned]",
    )


def _old_generation(lead: str, found: Found) -> CtxContractsError:
    index, span = _first_not(found["spans"], ObservedSpan, DerivedSpan)
    return RewritePolicyError(
        f"{lead}{_place(found['spans'], index)} is {kind_of(span)}, of no generation that is allowed",
        promise=Promise.OBSERVED_ONLY,
        instead=f"pass spans of a buffer; {_REDERIVE}",
    )


def _rewritten_before(lead: str, found: Found) -> CtxContractsError:
    for index, span in enumerate(each(found["spans"])):
        ledger: RewriteLedger = found["self"]  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
        into = ledger.rewritten_into(span.id) if isinstance(span, ObservedSpan) else None
        if into is not None:
            what = f"{_place(found['spans'], index)} is {id_of(span)}, which was rewritten into {into} already"
            break
    else:
        what = "a span was rewritten already"
    return RewritePolicyError(f"{lead}{what}", promise=Promise.SINGLE_REWRITE, instead=_REDERIVE)


def _text_not_observed(lead: str, found: Found) -> CtxContractsError:
    return ProvenanceError(
        f"{lead}text is {kind_of(found['text'])}, not an ObservedText that a door made",
        promise=Promise.PROVENANCE,
        instead="say where it comes from: user_text(...), assistant_text(...), external_text(..., url=...), @tool",
    )


def _derived_inside(lead: str, found: Found) -> CtxContractsError:
    named = found.get("_KWARGS", found)
    where = where_derived(named) if isinstance(named, Mapping) else None  # pyright: ignore[reportUnknownArgumentType]
    return RewritePolicyError(
        f"{lead}{where or 'an argument'} holds derived text",
        promise=Promise.OBSERVED_ONLY,
        instead="pass originals only; to cover more sources use buffer.rederive([span, ...], by)",
    )


def _unsealed(decorator: str) -> Callable[[str, Found], CtxContractsError]:
    def explain(lead: str, found: Found) -> CtxContractsError:
        return ProvenanceError(
            f"{lead}by is {kind_of(found['by'])}, not made by {decorator}",
            promise=Promise.OBSERVED_ONLY,
            instead=f"put {decorator} on the function, or pass {decorator[1:]}(function)",
        )

    return explain


def _no_summary(lead: str, found: Found) -> CtxContractsError:
    text = found["text"]
    reason = Rejection.NOT_TEXT
    if isinstance(text, str):
        reason = Rejection.ERROR_TEXT if text.strip() else Rejection.EMPTY
    size = f", {len(text)} characters long" if isinstance(text, str) else f": it is {kind_of(text)}"
    return SummaryRejected(
        f"{lead}{reason.value}{size}",
        reason=reason,
        promise=Promise.NO_FAILED_SUMMARY,
        instead="let the summarizer raise when the model fails, and try again later",
    )


def _broken(promise: Promise, claim: str) -> Callable[[str, Found], CtxContractsError]:
    def explain(lead: str, found: Found) -> CtxContractsError:
        result = found.get("result", found.get("self"))
        return BrokenPromiseError(
            f"{lead}{claim}; it returned {id_of(result)}",
            promise=promise,
            instead="report this to the authors of the function that returned it",
        )

    return explain


EXPLANATIONS: dict[Callable[..., bool], Callable[[str, Found], CtxContractsError]] = {
    p.all_observed: _not_observed,
    p.all_derived: _not_derived,
    p.all_spans: _no_span,
    p.at_least_one: _none_given,
    p.none_repeated: _repeated,
    p.none_pinned: _pinned,
    p.generation_at_most_one: _old_generation,
    p.never_rewritten_before: _rewritten_before,
    p.text_is_observed: _text_not_observed,
    p.text_is_not_derived: _derived_inside,
    p.no_derived_in_messages: _derived_inside,
    p.no_derived_in_options: _derived_inside,
    p.made_by_summarizer: _unsealed("@summarizer"),
    p.made_by_async_summarizer: _unsealed("@async_summarizer"),
    p.is_a_summary: _no_summary,
    p.sources_not_empty: _broken(Promise.AUDITABLE, "the result has no sources"),
    p.sources_are: _broken(Promise.AUDITABLE, "the sources of the result are not the spans that were passed in"),
    p.sources_cover: _broken(Promise.AUDITABLE, "the sources of the result are not those of the spans passed in"),
    p.smaller_than_sources: _broken(Promise.PROGRESS, "the result is no smaller than the spans that it replaces"),
    p.observed_as_given: _broken(Promise.PROVENANCE, "the result has not the origin and role of its text"),
    p.none_live: _broken(Promise.PRUNE, "a span is still in the window"),
}
