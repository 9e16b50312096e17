"""The errors of the plugin: one line each, with what to write instead."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy.errorcodes import ErrorCode

REWRITE: Final = ErrorCode("ctx-rewrite", "A summarizer would read derived text", "ctxcontracts")
LAUNDER: Final = ErrorCode("ctx-launder", "Derived text would become observed", "ctxcontracts")
ANY: Final = ErrorCode("ctx-any", "Any hides whether a value is observed or derived", "ctxcontracts")


class Told(NamedTuple):
    """What is told at a place."""

    text: str
    code: ErrorCode


def derived_span(call: str) -> Told:
    """A derived span where observed ones are taken."""
    text = f"{call} takes observed spans, and this is derived; to redo a summary use buffer.rederive(span, by)"
    return Told(text, REWRITE)


def perhaps_derived_span(call: str) -> Told:
    """A span of either kind where observed ones are taken."""
    text = f"{call} takes observed spans, and this may be derived; keep those for which is_observed(span) holds"
    return Told(text, REWRITE)


def option(call: str) -> Told:
    """Derived text in an option of a summarizer."""
    text = (
        f"an option of {call} holds derived text, which the summarizer would read; "
        "leave it out, and use buffer.rederive([span, ...], by) to cover more sources"
    )
    return Told(text, REWRITE)


def body(name: str) -> Told:
    """Derived text that a summarizer reads by itself."""
    text = (
        f"{name}() is a summarizer and reads derived text here; summarize the spans that are passed in and no others"
    )
    return Told(text, REWRITE)


def door(name: str) -> Told:
    """Derived text that goes through a door."""
    text = (
        f"{name}() takes originals, and this text holds derived text; "
        "keep the derived span, or make a new one with buffer.rederive(span, by)"
    )
    return Told(text, LAUNDER)


def tool_result(name: str) -> Told:
    """Derived text that a tool returns."""
    text = f"the result of @{name} is an original, and this is derived text; return what the tool itself found"
    return Told(text, LAUNDER)


def observed_derived(name: str) -> Told:
    """Derived text that is observed without a door."""
    text = f"{name}() takes originals, and this is derived text; the derived span is in the buffer already"
    return Told(text, LAUNDER)


def no_door(name: str) -> Told:
    """A text that came through no door."""
    text = (
        f"{name}() takes text that came through a door; "
        "use user_text(text), assistant_text(text), external_text(text, url=...) or put @tool on what returns it"
    )
    return Told(text, LAUNDER)


def any_span(call: str) -> Told:
    """`Any` where spans are taken."""
    text = f"the spans of {call} are Any, so no checker sees whether they are derived; annotate them as ObservedSpan"
    return Told(text, ANY)


def any_text(call: str) -> Told:
    """`Any` where a text is taken."""
    text = (
        f"the text of {call} is Any, so no checker sees whether it is derived; give it the type that it has, as str"
    )
    return Told(text, ANY)
