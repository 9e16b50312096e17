"""What every store checks before it takes entries in, and the words of the refusals that all stores share."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcontracts.coldstore.content import digest_once
from ctxcontracts.coldstore.journal import JournalEntry, Observed, Rederived, Rewritten
from ctxcontracts.errors import (
    ClosedStoreError,
    ColdStoreError,
    DamagedOriginalError,
    ForgottenError,
    OriginalMissingError,
    Promise,
    StaleSession,
)
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of


def check_text(record: ObservedRecord | DerivedRecord, verb: str) -> None:
    """Recomputes the digest of a record's text.

    Args:
        record: the record.
        verb: what is or was to be done with the text, for the message.

    Raises:
        DamagedOriginalError: when the text does not have the digest that the record claims.
    """
    if digest_of(record.text) != record.digest:
        raise wrong_digest(record.id, verb)


def records_in(entries: Sequence[JournalEntry]) -> dict[str, ObservedRecord | DerivedRecord]:
    """The records that entries bring, by id, each with its text checked.

    Raises:
        DamagedOriginalError: when a text does not have the digest that its record claims.
        ColdStoreError: when two records have one id.
    """
    records: dict[str, ObservedRecord | DerivedRecord] = {}
    for entry in entries:
        if isinstance(entry, (Observed, Rewritten, Rederived)):
            record = entry.record
            if record.id in records:
                raise id_in_use(record.id)
            if digest_once(record.text) != record.digest:
                raise wrong_digest(record.id, "was to be kept")
            records[record.id] = record
    return records


def id_in_use(span_id: str) -> ColdStoreError:
    """The refusal of a second record under one id."""
    return ColdStoreError(
        f"append() was given a second record under the id {span_id}, which is in use",
        promise=Promise.REVERSIBLE,
        instead="let the buffer give the ids, and use one buffer for a session at a time",
    )


def wrong_digest(span_id: str, verb: str) -> DamagedOriginalError:
    """The refusal of a text that does not have its digest."""
    return DamagedOriginalError(
        f"the text of {span_id} {verb} under a digest that is not its own",
        promise=Promise.AUDITABLE,
        instead="run verify() on the store to see all that is damaged, and restore the store from a copy",
    )


def missing(span_id: str, kind: str) -> OriginalMissingError:
    """The refusal of an id under which nothing is kept.

    Args:
        span_id: the id that was asked for.
        kind: what was asked for: "original" or "summary".
    """
    return OriginalMissingError(
        f"the store holds no {kind} under {_shown_id(span_id)}",
        promise=Promise.AUDITABLE,
        instead="open the store that the session was written to; verify() lists what does not resolve",
    )


def forgotten(span_id: str) -> ForgottenError:
    """The refusal of an id whose text was forgotten."""
    return ForgottenError(
        f"the text of {span_id} was forgotten on purpose",
        promise=Promise.AUDITABLE,
        instead="read the journal of its session: its last entries say why; the text is gone for good",
    )


def _shown_id(span_id: object) -> str:
    """An id as an error names it; a text that was passed for one is not shown."""
    if type(span_id) is str and len(span_id) < 140 and len(span_id.removeprefix("sha256 ").split()) == 1:
        return f"the id {span_id}"
    size = f" of {len(span_id)} characters" if isinstance(span_id, str) else ""
    return f"a {type(span_id).__name__}{size}, which is no id"


def damaged_entry(session: str, number: int, what: str) -> ColdStoreError:
    """The refusal of a journal entry that is missing, or is not what was written."""
    return ColdStoreError(
        f"entry {number} of session {session} {what}",
        promise=Promise.AUDITABLE,
        instead="run verify() on the store to see all that is damaged, and restore the store from a copy",
    )


def stale(session: str, *, expected: int, found: int) -> StaleSession:
    """The refusal of a writer that has not seen the whole journal."""
    return StaleSession(
        f"the journal of session {session} has {found} entries, and this buffer has seen {expected}: another buffer "
        "or process wrote to it",
        promise=Promise.COMPARE_AND_SWAP,
        instead="open the session again and repeat the call; give each concurrent writer a session of its own",
    )


def bad_argument(call: str, given: object, *, instead: str) -> ColdStoreError:
    """The refusal of an argument that is of no use there. It is not shown."""
    return ColdStoreError(f"{call} was given a {type(given).__name__}", instead=instead)


def closed(call: str) -> ClosedStoreError:
    """The refusal of a call on a closed store."""
    return ClosedStoreError(
        f"{call} was called on a cold store that is closed",
        instead="keep the store open as long as its buffers, or open it again",
    )
