"""Hypothesis strategies for texts, journal entries and sessions."""

from __future__ import annotations

from hypothesis import strategies as st

from ctxcontracts.coldstore.journal import (
    Fields,
    Forgotten,
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Started,
    Tombstone,
    Trace,
)
from ctxcontracts.spans.doors import assistant_text, external_text, system_text, tool_text, user_text
from ctxcontracts.spans.mark import OPEN
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of
from ctxcontracts.spans.text import DerivedStr, ObservedText


def texts(*, max_size: int = 200) -> st.SearchStrategy[str]:
    """Any text that a door takes: empty, long, in any script, with lone surrogates and NUL."""
    return st.text(st.characters(exclude_categories=()), max_size=max_size).filter(lambda text: OPEN not in text)


def observed_texts(*, max_size: int = 200) -> st.SearchStrategy[ObservedText]:
    """Texts through any of the doors."""

    def external(text: str, name: str) -> ObservedText:
        return external_text(text, url=f"https://example.org/{name}")

    def of_tool(text: str, name: str) -> ObservedText:
        return tool_text(text, name=name)

    raw = texts(max_size=max_size)
    names = st.from_regex(r"[a-z_]{1,12}", fullmatch=True)
    return st.one_of(
        raw.map(user_text),
        raw.map(assistant_text),
        raw.map(system_text),
        st.builds(external, raw, names),
        st.builds(of_tool, raw, names),
    )


def session_names() -> st.SearchStrategy[str]:
    """Names that a session may have."""
    return st.from_regex(r"[A-Za-z0-9_.:/@-]{1,40}", fullmatch=True)


def unknown_fields() -> st.SearchStrategy[Fields]:
    """Fields such as a newer version of the library might write."""
    values = st.one_of(
        st.none(), st.booleans(), st.integers(), texts(max_size=20), st.lists(st.integers(), max_size=3)
    )
    return st.dictionaries(st.from_regex(r"x_[a-z]{1,8}", fullmatch=True), values, max_size=3)


def observed_records(*, session: str = "s") -> st.SearchStrategy[ObservedRecord]:
    """Records of originals, with the digest of their text."""

    def build(number: int, text: str, role: Role, informed: list[int], *, pinned: bool) -> ObservedRecord:
        informed_by = tuple(DerivedId(f"{session}:d{n}") for n in informed)
        span_id = SourceId(f"{session}:o{number}")
        return ObservedRecord(span_id, text, digest_of(text), role.value, role, len(text), pinned, informed_by)

    numbers = st.integers(min_value=1, max_value=10**9)
    return st.builds(
        build, numbers, texts(), st.sampled_from(Role), st.lists(numbers, max_size=3), pinned=st.booleans()
    )


def derived_records(*, session: str = "s") -> st.SearchStrategy[DerivedRecord]:
    """Records of summaries, with the digest of their text."""

    def build(number: int, text: str, sources: list[int]) -> DerivedRecord:
        ids = tuple(SourceId(f"{session}:o{n}") for n in sources)
        return DerivedRecord(
            DerivedId(f"{session}:d{number}"), DerivedStr(text), digest_of(text), ids, len(text), "shrink"
        )

    numbers = st.integers(min_value=1, max_value=10**9)
    return st.builds(build, numbers, texts(), st.lists(numbers, min_size=1, max_size=4, unique=True))


def journal_entries(*, session: str = "s") -> st.SearchStrategy[JournalEntry]:
    """Journal entries of every kind, with and without fields of newer versions."""
    extra = unknown_fields()
    numbers = st.integers(min_value=1, max_value=10**9)
    ids = numbers.map(lambda number: SourceId(f"{session}:o{number}"))
    derived = numbers.map(lambda number: DerivedId(f"{session}:d{number}"))
    message = st.dictionaries(st.sampled_from(["name", "tool_call_id"]), texts(max_size=10), max_size=2)
    runs = st.binary(max_size=3).map(lambda part: part * 4)
    hashes = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
    traces = st.builds(Trace, ids, numbers, hashes, hashes)
    return st.one_of(
        st.builds(Tombstone, ids, st.lists(ids, max_size=3).map(tuple), extra),
        st.builds(Forgotten, texts(max_size=20), st.lists(traces, max_size=2).map(tuple), extra),
        st.builds(Started, st.just("estimate_tokens"), extra),
        st.builds(Observed, observed_records(session=session), message, extra),
        st.builds(Pruned, st.lists(st.one_of(ids, derived), min_size=1, max_size=4).map(tuple), extra),
        st.builds(Rewritten, derived_records(session=session), extra, runs),
        st.builds(Rederived, derived_records(session=session), st.lists(derived, max_size=3).map(tuple), extra, runs),
    )
