"""How a sealed type refuses to be made by hand: the words of the refusal, in one place."""

from __future__ import annotations

from typing import NoReturn

from ctxcontracts.errors import Promise, ProvenanceError


def refuse_making(kind: str, makers: str) -> NoReturn:
    """Refuses a direct construction.

    Args:
        kind: the name of the sealed class.
        makers: the calls that make one.

    Raises:
        ProvenanceError: always.
    """
    raise ProvenanceError(
        f"{kind}(...) was called directly, but {kind} is sealed",
        promise=Promise.PROVENANCE,
        instead=f"get one from {makers}",
    )


def refuse_subclass(kind: str) -> NoReturn:
    """Refuses a subclass, which could change what the guards rely on.

    Raises:
        ProvenanceError: always.
    """
    raise ProvenanceError(
        f"a class tries to derive from {kind}, but {kind} is final",
        promise=Promise.PROVENANCE,
        instead=f"hold a {kind} in a field of your own class",
    )


def refuse_change(kind: str, name: str) -> NoReturn:
    """Refuses an attribute write.

    Raises:
        ProvenanceError: always.
    """
    raise ProvenanceError(
        f"{kind}.{name} was assigned or deleted, but {kind} is immutable",
        promise=Promise.PROVENANCE,
        instead="observe a new text, or rewrite the span through the buffer",
    )


def refuse_pickle(kind: str) -> NoReturn:
    """Refuses to leave the process by pickle, which would lose the link to the cold store.

    Raises:
        ProvenanceError: always.
    """
    raise ProvenanceError(
        f"a {kind} was pickled, but a span means nothing without its buffer and cold store",
        promise=Promise.AUDITABLE,
        instead="pass span.id and look it up in a buffer opened on the same store, or pass the text",
    )


def refuse_copy(kind: str) -> NoReturn:
    """Refuses to copy or pickle what keeps a session or a file: two of it would be two writers.

    Raises:
        ProvenanceError: always.
    """
    raise ProvenanceError(
        f"a {kind} was copied or pickled, but it is the one writer of what it holds",
        promise=Promise.COMPARE_AND_SWAP,
        instead="keep it out of state that is copied; pass the path and the session, and open them again there",
    )


def refuse_forged(kind: str, name: str, *, slot: str) -> NoReturn:
    """Explains an attribute that is not there: on a value that `object.__new__` made, every one of them.

    Raises:
        ProvenanceError: when the slot that the maker fills is empty.
        AttributeError: for any other name.
    """
    if name != slot:
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")
    raise ProvenanceError(
        f"a {kind} was made by object.__new__, and nothing is in it",
        promise=Promise.PROVENANCE,
        instead="get one from the doors, the buffer or a summarizer",
    )
