"""The two kinds of text. They look alike as strings and must never be mixed up, so they are two types.

`ObservedText` is a `str` that only the doors make; every edit of it is a plain `str` again. `DerivedText` is no
`str` at all: it is read by `expose()`, whose result `DerivedStr` no door takes.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Never, SupportsIndex, cast, final

from ctxcontracts.errors import ProvenanceError
from ctxcontracts.spans.provenance import Role
from ctxcontracts.spans.pydantic_schema import sealed_schema
from ctxcontracts.spans.running import refuse_while_summarizing
from ctxcontracts.spans.seal import refuse_change, refuse_forged, refuse_making, refuse_subclass


@final
class ObservedText(str):
    """An original text with the origin that its door gave it. It reads as a `str`.

    Made by `user_text`, `assistant_text`, `system_text`, `external_text`, `@tool` and `@async_tool` only.
    """

    __slots__ = ("_origin", "_role")
    _origin: str
    _role: Role

    if TYPE_CHECKING:

        def __new__(cls, raw: str, *, _made_by_tool_or_user_text: Never) -> ObservedText: ...  # noqa: D102

    else:

        def __new__(cls, *_args: object, **_kwargs: object) -> ObservedText:  # noqa: D102
            refuse_making(
                "ObservedText", "user_text(...), assistant_text(...), external_text(..., url=...) or an @tool"
            )

    def __init_subclass__(cls) -> None:
        refuse_subclass("ObservedText")

    @property
    def origin(self) -> str:
        """Who it came from: `user`, `assistant`, `system`, `tool:NAME` or `external:URL`."""
        return self._origin

    @property
    def role(self) -> Role:
        """The role under which a model sees it."""
        return self._role

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("ObservedText", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("ObservedText", name)

    def __repr__(self) -> str:
        return f"<ObservedText {self._origin if is_sealed(self) else 'forged'}, {len(self)} characters>"

    def __copy__(self) -> ObservedText:
        return self

    def __deepcopy__(self, memo: object) -> ObservedText:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[str], tuple[str]]:
        """Pickles as a plain `str`: text that comes back from outside has to pass a door again."""
        return (str, (str(self),))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return sealed_schema(cls, made_by="user_text(...) or another door")


def is_sealed(text: ObservedText) -> bool:
    """Whether a door made this text (`str.__new__(ObservedText, ...)` makes one without an origin)."""
    return hasattr(text, "_origin") and hasattr(text, "_role")


def plain(text: str) -> str:
    """The characters of a text as a plain `str`, whatever a subclass makes of `str()` (an enum shows its name)."""
    return text if type(text) is str else str.__str__(text)


_set_origin = ObservedText.__dict__["_origin"].__set__
_set_role = ObservedText.__dict__["_role"].__set__


def seal_observed(raw: str, origin: str, role: Role) -> ObservedText:
    """Makes observed text. For doors and stores of this library; users call a door."""
    text = str.__new__(ObservedText, plain(raw))
    _set_origin(text, origin)
    _set_role(text, role)
    return text


class DerivedStr(str):
    """Derived text that was exposed by name: a `str` for showing, logging and sending, which no door takes.

    Its own edits (`+`, slices, `strip`, `replace`, ...) are `DerivedStr` again; `str()`, f-strings and `join` give a
    plain `str`. While a summarizer runs, all of them refuse but those that read the characters without asking the
    object (`"".join([text])`, `json.dumps(text)`, `str.__str__(text)`), so that a text exposed beforehand does not
    reach the summarizer through a closure.
    """

    __slots__ = ()

    def __str__(self) -> str:
        refuse_while_summarizing("str() or formatting of exposed derived text")
        return str.__str__(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __add__(self, other: str) -> DerivedStr:
        return DerivedStr(str.__add__(str(self), other))

    def __radd__(self, other: str) -> DerivedStr:
        return DerivedStr(str.__add__(other, str(self)))

    def __repr__(self) -> str:
        return f"<DerivedStr, {len(self)} characters>"

    def __copy__(self) -> DerivedStr:
        return self

    def __deepcopy__(self, memo: object) -> DerivedStr:
        return self

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[DerivedStr], tuple[str]]:
        """Pickles as exposed derived text."""
        return (DerivedStr, (str(self),))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return sealed_schema(cls, made_by="expose(span.text)")


def _edit(name: str) -> Any:
    """The method of `str` under this name: it gives derived text, and refuses while a summarizer runs."""
    method = getattr(str, name)

    @functools.wraps(method)
    def edit(self: DerivedStr, *args: Any, **kwargs: Any) -> Any:
        refuse_while_summarizing(f"{name} of exposed derived text")
        edited = method(self, *args, **kwargs)
        if isinstance(edited, (list, tuple)):
            pieces = cast("list[str] | tuple[str, ...]", edited)
            return type(pieces)(DerivedStr(piece) for piece in pieces)
        return DerivedStr(edited) if isinstance(edited, str) else edited

    return edit


_EDITS = (
    "__getitem__ __iter__ __mod__ __rmod__ __mul__ __rmul__ capitalize casefold center encode expandtabs format "
    "format_map ljust lower lstrip partition removeprefix removesuffix replace rjust rpartition rsplit rstrip split "
    "splitlines strip swapcase title translate upper zfill"
)
for _name in _EDITS.split():
    setattr(DerivedStr, _name, _edit(_name))


@final
class DerivedText:
    """A text that a summarizer wrote. Not a `str`; formatting it shows a placeholder, never the text."""

    __slots__ = ("_raw",)
    _raw: str

    if TYPE_CHECKING:

        def __init__(self, raw: str, *, _made_by_a_summarizer: Never) -> None: ...

    else:

        def __init__(self, *_args: object, **_kwargs: object) -> None:
            refuse_making("DerivedText", "calling a @summarizer, or from span.text of a derived span")

        def __getattr__(self, name: str) -> object:
            refuse_forged("DerivedText", name, slot="_raw")

    def __init_subclass__(cls) -> None:
        refuse_subclass("DerivedText")

    def expose(self) -> DerivedStr:
        """The text itself, marked by its type.

        Raises:
            RewritePolicyError: when called while a summarizer runs.
        """
        refuse_while_summarizing("expose() of derived text")
        return DerivedStr(self._raw)

    def __len__(self) -> int:
        """The number of characters of the text."""
        return len(self._raw)

    def __bool__(self) -> bool:
        return bool(self._raw)

    def __str__(self) -> str:
        refuse_while_summarizing("str() or formatting of derived text")
        return repr(self)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"<DerivedText, {len(self._raw)} characters>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DerivedText) and self._raw == other._raw

    def __hash__(self) -> int:
        return hash((DerivedText, self._raw))

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("DerivedText", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("DerivedText", name)

    def __copy__(self) -> DerivedText:
        return self

    def __deepcopy__(self, memo: object) -> DerivedText:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        """Pickles as derived text: the lower of the two ranks needs no door."""
        refuse_while_summarizing("pickling of derived text")
        return (seal_derived, (self._raw,))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return sealed_schema(cls, made_by="span.text of a derived span")


_set_raw = DerivedText.__dict__["_raw"].__set__


def seal_derived(raw: str) -> DerivedText:
    """Makes derived text. For summarizers and stores of this library."""
    text = object.__new__(DerivedText)
    _set_raw(text, plain(raw))
    return text


def raw_derived(text: DerivedText) -> str:
    """The text, without the guard of `expose`. For the buffer and the stores of this library, which persist it."""
    return text._raw  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001 - this module owns the seal


def expose(text: DerivedText, /) -> DerivedStr:
    """The text of a derived span, for people and models: the named way out of `DerivedText`.

    Raises:
        RewritePolicyError: when called while a summarizer runs.
        ProvenanceError: when given anything but derived text.
    """
    if not isinstance(text, DerivedText):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise ProvenanceError(
            f"expose() was given a {type(text).__name__}, not derived text",
            instead="pass span.text of a derived span; observed text is a str already",
        )
    return text.expose()
