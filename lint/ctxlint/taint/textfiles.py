"""Prompt files and prompt tables of a run, by the name or key under which code asks for them.

    Path(__file__).parent / "prompts" / "condense.md"        named("condense.md")
    load_prompt("condense")                                  named("condense"): that file among prompts
    table["compaction_system"]                               keyed("compaction_system"): of a JSON, TOML or YAML table

Nothing is read before some code near a call of a model names it; tables are read once, and only those that lie among
prompts by the name of their file or folder.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, cast

from ctxlint.taint.names import words_of

_TABLES = (".json", ".toml", ".yaml", ".yml")
_PLAIN = re.compile(r"[A-Za-z_][\w./-]{2,99}")
_FOLDERS = frozenset(
    ["prompt", "prompts", "template", "templates", "instruction", "instructions", "translation", "translations"]
) | {"locale", "locales", "i18n", "lang", "strings", "messages", "skills", "system", "personas"}
"""Words of the names of files and folders that hold what models are told."""
_TELLING = frozenset(
    ["summary", "summarize", "summarizer", "summarization", "condense", "compact", "compaction", "compress"]
)
"""A key of one word is looked up when it is one of these."""
_ENTRY = re.compile(r"^(\s*)(?:-\s+)?[\"']?([A-Za-z_][\w.-]*)[\"']?:\s*(.*)$")
_BLOCK = re.compile(r"^[|>][+-]?\d?$")
_FEW = 3
_MANY = 24
_MOST = 200


class Kept(NamedTuple):
    """A text and the file that it is kept in."""

    path: str
    text: str


class PromptFiles:
    """The prompt files of a run; see the module's docstring."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts
        self._read: dict[str, dict[str, list[str]]] = {}

    def speak(self, stems: Sequence[str]) -> bool:
        """Some file among prompts holds one of the stems: a run whose code holds none may still summarize."""
        kept = [path for path in self._texts if _prompts(path)][:_MOST]
        return any(stem in self._texts[path].lower() for path in kept for stem in stems)

    def named(self, name: str, near: str) -> Iterator[Kept]:
        """The file that a constant in the module `near` names, if there is one."""
        if not self._texts or not _PLAIN.fullmatch(name.lstrip("./")):
            return
        wanted = name.lstrip("./")
        last = wanted.rpartition("/")[2]
        whole = [path for path in self._by_name.get(last, ()) if ("/" + path).endswith("/" + wanted)]
        stems = [] if whole else [path for path in self._by_stem.get(last, ()) if self._among(path, near, wanted)]
        for path in nearest(whole or stems, near)[:1]:
            if path.endswith(_TABLES):
                entries = list(dict.fromkeys(text for texts in self._tables(path).values() for text in texts))
                for text in entries if len(entries) <= _FEW else ():
                    yield Kept(path, text)
            elif self._texts[path]:
                yield Kept(path, self._texts[path])

    def keyed(self, key: str, near: str) -> Iterator[str]:
        """The text that a table of prompts holds under a key."""
        if not self._texts or not _PLAIN.fullmatch(key):
            return
        last = re.split(r"[./]", key)[-1]
        if len(words_of(last)) < 2 and not words_of(last) & _TELLING:
            return
        held = dict(self._keys.get(last, ()))
        for path in self._beside(near.rpartition("/")[0]):
            if last in self._tables(path):
                held[path] = self._tables(path)[last]
        for path in nearest(list(held), near)[:1]:
            yield from held[path]

    def _beside(self, folder: str) -> list[str]:
        """The tables in a folder: few, or they are data."""
        tables = [path for path in self._by_folder.get(folder, ()) if path.endswith(_TABLES)]
        return tables if len(tables) <= _MANY else []

    @cached_property
    def _by_folder(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._texts:
            found.setdefault(path.rpartition("/")[0], []).append(path)
        return found

    def _tables(self, path: str) -> dict[str, list[str]]:
        if path not in self._read:
            found: dict[str, list[str]] = {}
            for key, text in self._entries(path):
                if " " in text.strip():
                    found.setdefault(key, []).append(text)
            self._read[path] = found
        return self._read[path]

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._texts:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def _by_stem(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self._texts:
            found.setdefault(path.rpartition("/")[2].partition(".")[0], []).append(path)
        return found

    def _among(self, path: str, near: str, wanted: str) -> bool:
        """A file without its suffix is meant only among prompts, or beside the module that names it."""
        folder = path.rpartition("/")[0]
        if "/" in wanted and not ("/" + path).rpartition(".")[0].endswith("/" + wanted):
            return False
        return _prompts(path) or folder == near.rpartition("/")[0]

    @cached_property
    def _keys(self) -> dict[str, list[tuple[str, list[str]]]]:
        found: dict[str, list[tuple[str, list[str]]]] = {}
        for path in self._texts:
            if path.endswith(_TABLES) and _prompts(path):
                for key, texts in self._tables(path).items():
                    found.setdefault(key, []).append((path, texts))
        return found

    def _entries(self, path: str) -> list[tuple[str, str]]:
        import json  # noqa: PLC0415 - most runs read no table

        text = self._texts[path]
        try:
            if path.endswith(".json"):
                return list(_leaves(json.loads(text)))
            if path.endswith(".toml"):
                return list(_leaves(tomllib.loads(text)))
        except (ValueError, RecursionError):
            return []
        return list(_yaml(text))


def nearest(paths: list[str], near: str) -> list[str]:
    """The paths, those first that lie nearest to a module, and English before other languages."""

    def distance(path: str) -> tuple[int, int, bool, str]:
        shared = 0
        for one, other in zip(path.split("/"), near.split("/"), strict=False):
            if one != other:
                break
            shared += 1
        return -shared, path.count("/"), "en" not in words_of(path), path

    return sorted(paths, key=distance)


def _prompts(path: str) -> bool:
    return not _FOLDERS.isdisjoint(words_of(path))


def _leaves(value: object, key: str = "") -> Iterator[tuple[str, str]]:
    """The texts of a table by their nearest key; a few texts (languages, roles) by the key above them too."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, inner in cast("Mapping[object, object]", value).items():
            found = list(_leaves(inner, str(name)))
            yield from found
            if isinstance(inner, Mapping) and len(found) <= _FEW:
                yield from ((str(name), text) for _, text in found)
    elif isinstance(value, list):
        items = cast("list[object]", value)
        lines = [item for item in items if isinstance(item, str)]
        if len(lines) == len(items):
            yield key, "\n".join(lines)
        for item in items if len(lines) < len(items) else ():
            yield from _leaves(item, key)


def _yaml(text: str) -> Iterator[tuple[str, str]]:
    """The texts of a YAML table, read no further than prompts need: `key: text` and `key: |` with its block.

    A key above a few texts holds them too: `system:` over `en: |` and `de: |`.
    """
    lines = text.splitlines()
    above: list[tuple[int, str]] = []
    joined: dict[str, list[str]] = {}
    index = 0
    while index < len(lines):
        match = _ENTRY.match(lines[index])
        index += 1
        if match is None:
            continue
        indent, key, rest = len(match[1]), match[2], match[3].strip()
        above = [entry for entry in above if entry[0] < indent]
        if not rest or rest.startswith(("[", "{", "&", "*", "#")):
            above.append((indent, key))
            continue
        block: list[str] = []
        while index < len(lines) and (not lines[index].strip() or _indent(lines[index]) > indent):
            block.append(lines[index].strip())
            index += 1
        found = ("" if _BLOCK.match(rest) else rest.strip("\"'") + "\n") + "\n".join(block)
        yield key, found
        for _, name in above[-1:]:
            joined.setdefault(name, []).append(found)
    for name, texts in joined.items():
        yield from ((name, text) for text in texts if len(texts) <= _FEW)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
