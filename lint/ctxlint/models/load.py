"""Model files: commented TOML in this package, and what a project adds to it.

An added file holds the same tables. Its `[[llm]]` and `[[calls]]` entries come on top; its lists are joined with
the lists of the same name (`silent`, `appends`, `verbs`, ...).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Any, cast

from ctxlint.errors import UsageError
from ctxlint.models.schema import Flow, HigherOrder, LlmCall, Models, StoreWords, Words

_FILES = ("llm.toml", "words.toml", "flow.toml", "stores.toml")
_WORDS = tuple(field.name for field in fields(Words))
_FLOWS = (
    "silent",
    "silent_words",
    "answers",
    "no_text",
    "no_text_words",
    "keep",
    "element",
    "row",
    "keyed",
    "appends",
    "extends",
    "sets",
    "clears",
    "fills",
)
_STORES = tuple(field.name for field in fields(StoreWords))
_TABLES = {
    "stores": _STORES,
    "templates": ("classes", "methods"),
    "state": ("registers", "names", "bases", "updates"),
    "markers": ("decorators", "modules"),
    "sessions": ("classes", "makers", "fields", "resets", "lasting"),
}
_LLM_FIELDS = (
    "methods",
    "functions",
    "path",
    "classes",
    "words",
    "refuse",
    "keywords",
    "text",
    "payload",
    "last",
    "beside",
    "starts",
)
_CALL_FIELDS = ("name", "function", "elements", "again", "returns", "keyword", "packed")
_RESULTS = ("result", "argument")


def load_models(extra: Sequence[Path] = ()) -> Models:
    """The models of the package, joined with those in `extra`.

    Raises:
        UsageError: When a file of `extra` cannot be read, is no TOML, or holds a table or field that no model has.
    """
    lists: dict[str, list[str]] = {}
    llm: list[LlmCall] = []
    calls: dict[str, HigherOrder] = {}
    folder = resources.files("ctxlint.models")
    sources = [(name, (folder / name).read_text("utf-8")) for name in _FILES]
    sources.extend((str(path), _text(path)) for path in extra)
    for name, text in sources:
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{name}: not valid TOML: {error}; models are TOML files") from error
        _read(name, table, lists, llm, calls)
    return _models(lists, llm, calls)


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"{path}: the model file cannot be read: {reason}") from error


def _read(
    name: str,
    table: Mapping[str, Any],
    lists: dict[str, list[str]],
    llm: list[LlmCall],
    calls: dict[str, HigherOrder],
) -> None:
    for key, value in table.items():
        if key == "llm":
            llm.extend(_llm(name, entry) for entry in _entries(name, key, value))
        elif key == "calls":
            for entry in _entries(name, key, value):
                call = _higher_order(name, entry)
                calls[call.name] = call
        elif key in _TABLES:
            if not isinstance(value, Mapping):
                raise UsageError(f"{name}: write {key} as a table [{key}] with {', '.join(_TABLES[key])}")
            for field, given in cast("Mapping[str, Any]", value).items():
                if field not in _TABLES[key]:
                    raise UsageError(f"{name}: [{key}] has no {field!r}; it has {', '.join(_TABLES[key])}")
                lists.setdefault(f"{key}.{field}", []).extend(_strings(name, field, given))
        elif key in _WORDS or key in _FLOWS:
            lists.setdefault(key, []).extend(_strings(name, key, value))
        else:
            raise UsageError(f"{name}: there is no model table {key!r}")


def _entries(name: str, key: str, value: Any) -> list[Mapping[str, Any]]:
    entries: list[Any] = list(cast("Iterable[Any]", value)) if isinstance(value, list) else [None]
    if not all(isinstance(entry, Mapping) for entry in entries):
        raise UsageError(f"{name}: write {key} as [[{key}]] entries")
    return entries


def _strings(name: str, key: str, value: Any) -> list[str]:
    items: list[Any] = list(cast("Iterable[Any]", value)) if isinstance(value, list) else [None]
    if not all(isinstance(item, str) for item in items):
        raise UsageError(f"{name}: {key} must be a list of strings")
    return items


def _llm(name: str, entry: Mapping[str, Any]) -> LlmCall:
    fields: dict[str, list[str]] = {}
    for key, value in entry.items():
        if key not in _LLM_FIELDS and key != "about":
            raise UsageError(f"{name}: an [[llm]] entry has no {key!r}; it has {', '.join(_LLM_FIELDS)}")
        if key != "about":
            fields[key] = _strings(name, key, value)
    if not fields.get("functions") and not (
        fields.get("methods") and any(map(fields.get, ("path", "classes", "words", "payload", "beside")))
    ):
        raise UsageError(
            f"{name}: an [[llm]] entry needs functions, or methods and one of path, classes, words, payload, beside"
        )
    about = entry.get("about", "")
    if not isinstance(about, str):
        raise UsageError(f"{name}: about of an [[llm]] entry must be a string")
    sets = {key: frozenset(fields.get(key, ())) for key in _LLM_FIELDS if key != "path"}
    return LlmCall(about, path=tuple(fields.get("path", ())), **sets)


def _higher_order(name: str, entry: Mapping[str, Any]) -> HigherOrder:
    given: dict[str, Any] = {
        "elements": False,
        "again": False,
        "returns": _RESULTS[0],
        "keyword": "",
        "packed": "",
        **entry,
    }
    unknown = sorted(given.keys() - set(_CALL_FIELDS))
    if unknown:
        raise UsageError(f"{name}: a [[calls]] entry has no {unknown[0]!r}; it has {', '.join(_CALL_FIELDS)}")
    if not isinstance(given.get("name"), str) or not given["name"]:
        raise UsageError(f"{name}: a [[calls]] entry needs the name of what is called")
    position = given.get("function")
    # To Python, true is an int.
    if not isinstance(position, int) or isinstance(position, bool) or position < 0:
        raise UsageError(f"{name}: a [[calls]] entry needs the function's position, a number from 0, as function")
    for field in ("elements", "again"):
        if not isinstance(given[field], bool):
            raise UsageError(f"{name}: {field} of a [[calls]] entry must be true or false")
    if given["returns"] not in _RESULTS:
        raise UsageError(f"{name}: returns of a [[calls]] entry must be one of {', '.join(_RESULTS)}")
    for field in ("keyword", "packed"):
        if not isinstance(given[field], str):
            raise UsageError(f"{name}: {field} of a [[calls]] entry must be the name of an argument")
    return HigherOrder(**{field: given[field] for field in _CALL_FIELDS})


def _models(lists: Mapping[str, list[str]], llm: list[LlmCall], calls: dict[str, HigherOrder]) -> Models:
    def given(key: str) -> frozenset[str]:
        return frozenset(lists.get(key, ()))

    words = Words(**{key: given(key) for key in _WORDS})
    flow = Flow(
        **{key: given(key) for key in _FLOWS},
        calls=calls,
        template_classes=given("templates.classes"),
        template_methods=given("templates.methods"),
        state_registers=given("state.registers"),
        state_names=given("state.names"),
        state_bases=given("state.bases"),
        state_updates=given("state.updates"),
        marker_decorators=given("markers.decorators"),
        marker_modules=given("markers.modules"),
        session_classes=given("sessions.classes"),
        session_makers=given("sessions.makers"),
        session_fields=given("sessions.fields"),
        lasting=given("sessions.lasting"),
        resets=given("sessions.resets"),
    )
    by_method: dict[str, list[LlmCall]] = {}
    for entry in llm:
        for method in sorted(entry.methods):
            by_method.setdefault(method, []).append(entry)
    return Models(
        words,
        flow,
        StoreWords(**{key: given(f"stores.{key}") for key in _STORES}),
        tuple(llm),
        {method: tuple(entries) for method, entries in by_method.items()},
        {function: entry for entry in llm for function in sorted(entry.functions)},
    )
