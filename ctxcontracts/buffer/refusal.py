"""The words in which a buffer refuses. Kind, id and length of a span stand in them, its text never does."""

from __future__ import annotations

from ctxcontracts.errors import (
    ColdStoreError,
    CtxContractsError,
    Promise,
    ProvenanceError,
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
    shown: object = given if isinstance(given, (int, float)) else f"a {type(given).__name__}"
    if isinstance(given, int) and given.bit_length() >= 64:
        shown = f"an int of {given.bit_length()} bits"  # Python refuses to print it
    return CtxContractsError(
        f"the token counter {counter} gave {shown}, not an int of at least 0 and below 2**63",
        promise=Promise.PROGRESS,
        instead="give the buffer count_tokens=function that returns the number of tokens of a text",
    )


def no_store(given: object) -> CtxContractsError:
    """Something else stands where a store should."""
    return CtxContractsError(
        f"ContextBuffer(store) was given a {type(given).__name__}, which is no cold store",
        promise=Promise.REVERSIBLE,
        instead="pass MemoryStore() or SQLiteStore(path), or use ContextBuffer.open(path, session)",
    )


def no_counter(given: object) -> CtxContractsError:
    """Something else stands where a token counter should."""
    return CtxContractsError(
        f"ContextBuffer(count_tokens=...) was given a {type(given).__name__}, which cannot be called",
        instead="pass a function that returns the number of tokens of a text, or leave it out",
    )


def no_redaction(given: object) -> CtxContractsError:
    """Something else stands where a redaction should, or came out of one."""
    return CtxContractsError(
        f"ContextBuffer(redact=...) is no function from str to str: there is a {type(given).__name__}",
        promise=Promise.REVERSIBLE,
        instead="pass a function that returns the text without what must not be kept; nothing was kept",
    )


def no_list(call: str, given: object) -> ProvenanceError:
    """Something else stands where several values should; a text would be taken apart into characters."""
    return ProvenanceError(
        f"{call} was given a {type(given).__name__}, not a list",
        promise=Promise.PROVENANCE,
        instead="pass a list, also for a single one",
    )


def no_id(call: str, given: object) -> UnknownSpanError:
    """Something else stands where the id of a span should."""
    return UnknownSpanError(
        f"{call} was given a {type(given).__name__}, not the id of a span",
        promise=Promise.AUDITABLE,
        instead="pass span.id, or one of derived_span.sources",
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
