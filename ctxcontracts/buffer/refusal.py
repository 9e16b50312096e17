"""The words in which a buffer refuses. Kind, id and length of a span stand in them, its text never does."""

from __future__ import annotations

from ctxcontracts.errors import (
    ColdStoreError,
    CtxContractsError,
    Promise,
    StaleRewrite,
    UnknownSpanError,
)
from ctxcontracts.spans.span import AnySpan


def unknown(call: str, index: int, span: AnySpan) -> UnknownSpanError:
    """A span of another buffer was given."""
    return UnknownSpanError(
        f"{call}: spans[{index}] is {span.id}, which was never in this buffer",
        promise=Promise.AUDITABLE,
        instead="pass spans of buffer.spans; to bring a text in from elsewhere, let it through a door and observe it",
    )


def gone(call: str, span: AnySpan, successor: str | None) -> StaleRewrite:
    """A span has left the window."""
    how = "it was pruned" if successor is None else f"{successor} took its place"
    return StaleRewrite(
        f"{call}: {span.id} is no longer live: {how}",
        promise=Promise.COMPARE_AND_SWAP,
        instead="choose again from buffer.spans; nothing was changed",
    )


def claimed(call: str, span: AnySpan) -> StaleRewrite:
    """Another rewrite works on a span."""
    return StaleRewrite(
        f"{call}: another rewrite is working on {span.id}",
        promise=Promise.COMPARE_AND_SWAP,
        instead="wait for it to end and choose again from buffer.spans; nothing was changed",
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
