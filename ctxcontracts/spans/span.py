"""The two kinds of span. They share no base class, so that no annotation takes both by accident."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Never, NoReturn, SupportsIndex, TypeAlias, final

from typing_extensions import TypeIs

from ctxcontracts.spans.provenance import DerivedId, Provenance, Reference, Role, SourceId
from ctxcontracts.spans.pydantic_schema import sealed_schema
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.seal import refuse_change, refuse_forged, refuse_making, refuse_pickle, refuse_subclass
from ctxcontracts.spans.text import DerivedText, ObservedText, seal_derived, seal_observed


@final
class ObservedSpan:
    """An original in the window: generation 0. Made by `buffer.observe(text)` only; equal by id and digest."""

    __slots__ = ("_record",)
    _record: ObservedRecord

    if TYPE_CHECKING:

        def __init__(self, *, _made_by_buffer_observe: Never) -> None: ...

    else:

        def __init__(self, *_args: object, **_kwargs: object) -> None:
            refuse_making("ObservedSpan", "buffer.observe(text)")

        def __getattr__(self, name: str) -> object:
            refuse_forged("ObservedSpan", name, slot="_record")

    def __init_subclass__(cls) -> None:
        refuse_subclass("ObservedSpan")

    @property
    def id(self) -> SourceId:
        """The id, unique in its store. It names the original for ever, also after a prune or a rewrite."""
        return self._record.id

    @property
    def text(self) -> ObservedText:
        """The original text, with its origin."""
        return seal_observed(self._record.text, self._record.origin, self._record.role)

    @property
    def digest(self) -> str:
        """The sha256 of the text, hexadecimal."""
        return self._record.digest

    @property
    def origin(self) -> str:
        """Who it came from: `user`, `assistant`, `system`, `tool:NAME` or `external:URL`."""
        return self._record.origin

    @property
    def role(self) -> Role:
        """The role under which a model sees it."""
        return self._record.role

    @property
    def tokens(self) -> int:
        """Its size, by the counter of its buffer."""
        return self._record.tokens

    @property
    def pinned(self) -> bool:
        """Whether no rewrite and no policy may remove it."""
        return self._record.pinned

    @property
    def informed_by(self) -> tuple[DerivedId, ...]:
        """The derived spans that were in the window when the agent wrote this turn; empty for everybody else."""
        return self._record.informed_by

    @property
    def generation(self) -> Literal[0]:
        """How many rewrites lie between this span and the originals."""
        return 0

    @property
    def provenance(self) -> Literal[Provenance.OBSERVED]:
        """Always observed."""
        return Provenance.OBSERVED

    def __repr__(self) -> str:
        record = self._record
        return (
            f"<ObservedSpan {record.id} from {record.origin}, {len(record.text)} characters, {record.tokens} tokens>"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ObservedSpan):
            return False
        return self._record.id == other._record.id and self._record.digest == other._record.digest

    def __hash__(self) -> int:
        return hash(self._record.id)

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("ObservedSpan", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("ObservedSpan", name)

    def __copy__(self) -> ObservedSpan:
        return self

    def __deepcopy__(self, memo: object) -> ObservedSpan:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_pickle("ObservedSpan")

    def to_dict(self) -> Reference:
        """What stands for the span outside of the process, for `from_dict(reference, store)`. It holds no text."""
        return {"kind": "observed", "id": self.id, "digest": self.digest}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return sealed_schema(cls, made_by="buffer.observe(text)")


@final
class DerivedSpan:
    """A summary in the window: generation 1, never more. Made by `buffer.rewrite` and `buffer.rederive` only."""

    __slots__ = ("_record",)
    _record: DerivedRecord

    if TYPE_CHECKING:

        def __init__(self, *, _made_by_buffer_rewrite: Never) -> None: ...

    else:

        def __init__(self, *_args: object, **_kwargs: object) -> None:
            refuse_making("DerivedSpan", "buffer.rewrite(spans, by) or buffer.rederive(spans, by)")

        def __getattr__(self, name: str) -> object:
            refuse_forged("DerivedSpan", name, slot="_record")

    def __init_subclass__(cls) -> None:
        refuse_subclass("DerivedSpan")

    @property
    def id(self) -> DerivedId:
        """The id, unique in its store."""
        return self._record.id

    @property
    def text(self) -> DerivedText:
        """What the summarizer wrote. Read it with `expose(span.text)`."""
        return seal_derived(self._record.text)

    @property
    def digest(self) -> str:
        """The sha256 of the text, hexadecimal."""
        return self._record.digest

    @property
    def sources(self) -> tuple[SourceId, ...]:
        """The observed spans that it was made from, in the order of the window; never empty."""
        return self._record.sources

    @property
    def summarizer(self) -> str:
        """The name of the summarizer that wrote it."""
        return self._record.summarizer

    @property
    def tokens(self) -> int:
        """Its size as rendered, by the counter of its buffer."""
        return self._record.tokens

    @property
    def pinned(self) -> Literal[False]:
        """A summary can always be pruned."""
        return False

    @property
    def generation(self) -> Literal[1]:
        """How many rewrites lie between this span and the originals."""
        return 1

    @property
    def provenance(self) -> Literal[Provenance.DERIVED]:
        """Always derived."""
        return Provenance.DERIVED

    def __repr__(self) -> str:
        record = self._record
        size = f"{len(record.text)} characters, {record.tokens} tokens"
        return f"<DerivedSpan {record.id} of {len(record.sources)} sources by {record.summarizer}, {size}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DerivedSpan):
            return False
        return self._record.id == other._record.id and self._record.digest == other._record.digest

    def __hash__(self) -> int:
        return hash(self._record.id)

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("DerivedSpan", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("DerivedSpan", name)

    def __copy__(self) -> DerivedSpan:
        return self

    def __deepcopy__(self, memo: object) -> DerivedSpan:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_pickle("DerivedSpan")

    def to_dict(self) -> Reference:
        """What stands for the span outside of the process, for `from_dict(reference, store)`. It holds no text."""
        return {"kind": "derived", "id": self.id, "digest": self.digest}

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return sealed_schema(cls, made_by="buffer.rewrite(spans, by)")


AnySpan: TypeAlias = ObservedSpan | DerivedSpan
"""Either kind, where both are meant: what a window holds, what `prune` takes."""

_set_observed = ObservedSpan.__dict__["_record"].__set__
_set_derived = DerivedSpan.__dict__["_record"].__set__


def seal_observed_span(record: ObservedRecord) -> ObservedSpan:
    """Makes an observed span of its record. For buffers and stores; users call `buffer.observe`."""
    span = object.__new__(ObservedSpan)
    _set_observed(span, record)
    return span


def seal_derived_span(record: DerivedRecord) -> DerivedSpan:
    """Makes a derived span of its record. For buffers and stores; users call `buffer.rewrite`."""
    span = object.__new__(DerivedSpan)
    _set_derived(span, record)
    return span


def record_of_observed(span: ObservedSpan) -> ObservedRecord:
    """The plain data of an observed span. For buffers and stores of this library."""
    return span._record  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001 - this module owns the seal


def record_of_derived(span: DerivedSpan) -> DerivedRecord:
    """The plain data of a derived span. For buffers and stores of this library."""
    return span._record  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001 - this module owns the seal


def is_observed(span: AnySpan, /) -> TypeIs[ObservedSpan]:
    """Whether a span is an original; narrows the type in both branches."""
    return isinstance(span, ObservedSpan)


def is_derived(span: AnySpan, /) -> TypeIs[DerivedSpan]:
    """Whether a span is a summary; narrows the type in both branches."""
    return isinstance(span, DerivedSpan)
