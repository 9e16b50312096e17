"""Every error of the library: one root, and the class says whose fault it is.

A message has three parts: what happened, which promise it would have broken, what to write instead. The parts are
fields too, for programs. No error holds or prints the text of a span: kind, id and length are enough.
"""

from __future__ import annotations

from enum import Enum


class Promise(Enum):
    """The promises of the library, as an error names them."""

    PROVENANCE = "P1 provenance: nothing turns derived text into observed text"
    OBSERVED_ONLY = "P2 a rewrite reads observed spans only, so no summary is ever summarized"
    SINGLE_REWRITE = "P3 single pass: an observed span is rewritten at most once"
    REVERSIBLE = "P4 reversible: the originals are durable before their replacement is visible"
    PRUNE = "P5 a prune is always allowed, idempotent, and keeps the order of what stays"
    NO_FAILED_SUMMARY = "P6 a failed, empty, refused or error-text summary changes nothing"
    PROGRESS = "P7 progress: a rewrite makes the window smaller"
    PINNED = "P9 pinned spans are never rewritten, and no policy prunes them"
    COMPARE_AND_SWAP = "P11 concurrent rewrites never lose a span or use it twice"
    AUDITABLE = "P12 every derived span can be audited: its sources resolve and their digests match"
    REENTRY = "P13 re-entry: derived text that comes back as an original is noticed"


class CtxContractsError(RuntimeError):
    """Root of every error that the library raises on purpose.

    Attributes:
        happened: what was refused, naming the function, argument and index of the caller.
        promise: the promise that it would have broken, or None for an error of the environment.
        instead: what to write instead.
    """

    def __init__(self, happened: str, *, promise: Promise | None = None, instead: str = "") -> None:
        self.happened = happened
        self.promise = promise
        self.instead = instead
        lines = [happened]
        if promise is not None:
            lines.append(f"  this would break {promise.value}")
        if instead:
            lines.append(f"  instead: {instead}")
        super().__init__("\n".join(lines))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles by its fields, so that an error survives a process pool whatever its constructor takes."""
        return (_rebuilt, (type(self), self.args, dict(self.__dict__)))


def _rebuilt(kind: type[CtxContractsError], args: tuple[object, ...], fields: dict[str, object]) -> CtxContractsError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class RewritePolicyError(CtxContractsError):
    """The caller's fault: an edit of the context would make a summary of a summary, or rewrite a span twice."""


class ProvenanceError(CtxContractsError):
    """The caller's fault: derived text goes through a door, or a sealed value is made by hand."""


class ReentryError(ProvenanceError):
    """The caller's fault: the whole text of a summary was observed as an original, where that is to be refused."""


class ReentryWarning(UserWarning):
    """A text that was observed, or given to a function under `@derives`, holds much of a derived text."""


class DerivedAgainError(RewritePolicyError):
    """The caller's fault: a function under `@derives` was given a text that an earlier call had derived.

    Attributes:
        earlier_id: the id in the mark of the earlier text.
        earlier_function: who derived it, or None where the registry does not know the id.
        earlier_when: when, UTC, ISO 8601, or None.
    """

    def __init__(
        self, happened: str, *, earlier_id: str, earlier_function: str | None, earlier_when: str | None, instead: str
    ) -> None:
        self.earlier_id = earlier_id
        self.earlier_function = earlier_function
        self.earlier_when = earlier_when
        super().__init__(happened, promise=Promise.OBSERVED_ONLY, instead=instead)


class PinnedSpanError(RewritePolicyError):
    """The caller's fault: a pinned span was given to a rewrite."""


class UnknownSpanError(CtxContractsError):
    """The caller's fault: the span was never in this buffer, or what was given is no id of a span."""


class Rejection(Enum):
    """Why a summary was rejected."""

    NOT_TEXT = "the summarizer returned no text"
    EMPTY = "the summary is empty"
    ERROR_TEXT = "the summary is the text of an error or a refusal"
    NOT_SMALLER = "the summary is no smaller than its sources"
    CARRIES_DERIVED = "the summary carries the mark of an earlier derived span"


class SummaryRejected(CtxContractsError):  # noqa: N818 - it is the verdict on a summary; DESIGN's word
    """The summarizer's fault: its result cannot stand for its sources. Nothing was changed.

    Attributes:
        reason: why, for programs that try again.
    """

    def __init__(self, happened: str, *, reason: Rejection, promise: Promise, instead: str) -> None:
        self.reason = reason
        super().__init__(happened, promise=promise, instead=instead)


class StaleRewrite(CtxContractsError):  # noqa: N818 - names the state, as StopIteration does
    """Nobody's fault: a span was pruned, replaced or claimed by someone else meanwhile. Nothing was changed."""


class StaleSession(CtxContractsError):  # noqa: N818 - names the state, as StopIteration does
    """Nobody's fault: another buffer or process wrote to this session meanwhile. Nothing was changed; reopen it."""


class ColdStoreError(CtxContractsError):
    """The store's or the environment's fault: an original could not be kept or read. Nothing was changed."""


class OriginalMissingError(ColdStoreError):
    """The store holds no original under this id."""


class ForgottenError(OriginalMissingError):
    """The text of this span was forgotten on purpose; the journal of its session says when and why."""


class DamagedOriginalError(ColdStoreError):
    """What the store holds under this digest does not have this digest."""


class StoreVersionError(ColdStoreError):
    """The store was written by a newer version of the library, or is no store of ours."""


class ClosedStoreError(ColdStoreError):
    """The store was closed before this call."""


class CompactionError(CtxContractsError):
    """The caller's fault: a budget or a policy that cannot be followed."""


class WindowFullError(CtxContractsError):
    """What may not be touched fills the window beyond the limit; `fills` says with what.

    Everything that the compaction did until then is kept.

    Attributes:
        fills: tokens by kind of content, largest first.
    """

    def __init__(self, happened: str, *, fills: dict[str, int], instead: str) -> None:
        self.fills = fills
        super().__init__(happened, promise=Promise.PROGRESS, instead=instead)


class BrokenPromiseError(CtxContractsError):
    """The fault of the function that was called: it returned what its contract rules out. Please report it."""
