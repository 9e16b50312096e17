"""The words in which a buffer refuses. Kind, id and length of a span stand in them, its text never does."""

from __future__ import annotations

from ctxcontracts.errors import (
    ColdStoreError,
    CtxContractsError,
    PinnedSpanError,
    Promise,
    ProvenanceError,
    RewritePolicyError,
    StaleRewrite,
    UnknownSpanError,
)
from ctxcontracts.spans.span import AnySpan, DerivedSpan
from ctxcontracts.spans.text import ObservedText


def not_observed(call: str, index: int, given: object) -> RewritePolicyError:
    """A rewrite was given something that is no observed span."""
    what = f"the derived span {given.id}" if isinstance(given, DerivedSpan) else f"a {type(given).__name__}"
    return RewritePolicyError(
        f"{call}(spans, by): spans[{index}] is {what}, not an observed span",
        promise=Promise.OBSERVED_ONLY,
        instead="buffer.rederive(span, by) makes a new summary from the originals; buffer.prune(span) drops it"
        if isinstance(given, DerivedSpan)
        else "pass spans that buffer.observe(text) returned",
    )


def not_derived(call: str, index: int, given: object) -> RewritePolicyError:
    """A re-derivation was given something that is no derived span."""
    return RewritePolicyError(
        f"{call}(spans, by): spans[{index}] is a {type(given).__name__}, not a DerivedSpan",
        promise=Promise.SINGLE_REWRITE,
        instead="pass derived spans of this buffer; to summarize observed spans use buffer.rewrite(spans, by)",
    )


def pinned(call: str, index: int, span: AnySpan) -> PinnedSpanError:
    """A rewrite was given a pinned span."""
    return PinnedSpanError(
        f"{call}(spans, by): spans[{index}] is the pinned span {span.id}",
        promise=Promise.PINNED,
        instead="leave pinned spans out: [span for span in spans if not span.pinned]",
    )


def unknown(call: str, index: int, span: AnySpan) -> UnknownSpanError:
    """A span of another buffer was given."""
    return UnknownSpanError(
        f"{call}(spans): spans[{index}] is {span.id}, which was never in this buffer",
        promise=Promise.AUDITABLE,
        instead="pass spans of buffer.spans; to bring a text in from elsewhere, let it through a door and observe it",
    )


def no_span(call: str, index: int, given: object) -> UnknownSpanError:
    """Something that is no span was given where either kind is taken."""
    return UnknownSpanError(
        f"{call}(spans): spans[{index}] is a {type(given).__name__}, not a span",
        promise=Promise.PRUNE,
        instead="pass spans of buffer.spans; a position says nothing once other spans have left",
    )


def rewritten_before(call: str, index: int, span: AnySpan) -> RewritePolicyError:
    """An observed span was to be rewritten a second time."""
    return RewritePolicyError(
        f"{call}(spans, by): spans[{index}] is {span.id}, which was rewritten before",
        promise=Promise.SINGLE_REWRITE,
        instead="use buffer.rederive(span, by) on the derived span that it went into",
    )


def gone(call: str, span: AnySpan, fate: str) -> StaleRewrite:
    """A span has left the window."""
    return StaleRewrite(
        f"{call}(spans, by): {span.id} is no longer live: it was {fate}",
        promise=Promise.COMPARE_AND_SWAP,
        instead="choose again from buffer.spans; nothing was changed",
    )


def claimed(call: str, span: AnySpan) -> StaleRewrite:
    """Another rewrite works on a span."""
    return StaleRewrite(
        f"{call}(spans, by): another rewrite is working on {span.id}",
        promise=Promise.COMPARE_AND_SWAP,
        instead="wait for it to end and choose again from buffer.spans; nothing was changed",
    )


def nothing_given(call: str) -> RewritePolicyError:
    """A rewrite was given an empty list."""
    return RewritePolicyError(
        f"{call}(spans, by): spans is empty, and a derived span without sources could never be audited",
        promise=Promise.AUDITABLE,
        instead="pass at least one span, or leave the call out",
    )


def given_twice(call: str) -> RewritePolicyError:
    """One span stands twice in the list of a rewrite."""
    return RewritePolicyError(
        f"{call}(spans, by): a span stands in the list twice",
        promise=Promise.SINGLE_REWRITE,
        instead="pass each span once",
    )


def no_summarizer(call: str, given: object, decorator: str) -> RewritePolicyError:
    """The summarizer is not sealed, or is of the other kind."""
    return RewritePolicyError(
        f"{call}(spans, by): by is a {type(given).__name__}, and not what {decorator} makes",
        promise=Promise.OBSERVED_ONLY,
        instead=f"put {decorator} on the function, and use arewrite and arederive for async ones",
    )


def no_observed_text(call: str, given: object) -> ProvenanceError:
    """Something that is no observed text was to be observed."""
    kind = f"{type(given).__name__}{' that no door made' if isinstance(given, ObservedText) else ''}"
    return ProvenanceError(
        f"{call}(text) was given a {kind}, not observed text",
        promise=Promise.PROVENANCE,
        instead="let it through its door first: user_text(...), assistant_text(...), system_text(...), "
        "external_text(..., url=...) or the result of a @tool",
    )


def bad_count(counter: str, given: object) -> CtxContractsError:
    """The token counter gave no size."""
    shown = given if isinstance(given, (int, float)) else f"a {type(given).__name__}"
    return CtxContractsError(
        f"the token counter {counter} gave {shown}, not an int of at least 0",
        promise=Promise.PROGRESS,
        instead="give the buffer count_tokens=function that returns the number of tokens of a text",
    )


def bad_session(session: object) -> CtxContractsError:
    """The name of a session cannot be part of ids and marks."""
    shown = repr(session) if isinstance(session, str) and len(session) < 100 else f"a {type(session).__name__}"
    return CtxContractsError(
        f"the session name {shown} cannot stand in the ids of spans",
        promise=Promise.AUDITABLE,
        instead="use 1 to 100 printable characters without spaces, '[' and ']'",
    )


def session_in_use(session: str) -> CtxContractsError:
    """A new buffer was to be made in a session that has a past."""
    return CtxContractsError(
        f"from_messages(session={session!r}): the store holds a session of this name already",
        promise=Promise.REVERSIBLE,
        instead="choose another name, or resume the session with ContextBuffer(store, session=...)",
    )


def contradictory(session: str, number: int) -> ColdStoreError:
    """The journal tells something that cannot have happened."""
    return ColdStoreError(
        f"entry {number} of session {session} contradicts the entries before it",
        promise=Promise.AUDITABLE,
        instead="run verify() on the store to see all that is damaged, and restore the store from a copy",
    )
