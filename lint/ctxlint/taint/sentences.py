"""A prompt in sentences: words in lower case, placeholders as holes, labels and headings told apart."""

from __future__ import annotations

import re
from typing import NamedTuple

HOLE = "\x00"
"""Stands for what is filled in: `{history}`, `{{ history }}`, `%s`, `!<INPUT 0>!`, or a value that is not known."""
COMMA = ","

_BLOCK = re.compile(r"\{%.*?%\}|\{#.*?#\}|<!--.*?-->", re.DOTALL)
_PLACE = re.compile(
    r"\{\{[^{}]{0,80}\}\}|\{[A-Za-z_][^{}\n]{0,80}\}|\{\}|%\(\w+\)s|%s|\$\{\w+\}|\$[a-z]\w*|!<[A-Z][A-Z0-9_ ]{0,30}>!"
)
_SENTENCE = re.compile(r"[^\n.!?;:]+(?:[.!?;:](?![\s\x00]|$)[^\n.!?;:]*)*[.!?;:]?")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?|\x00|,")
_WRAPPED = re.compile(r"(?<=[^\s.!?;:|>`*#\-])[ \t]*\n[ \t]*(?=[a-z][a-z']*[ ,.\n])")
"""A line end inside a sentence: nothing ends before it, and a word in lower case goes on behind it."""
_NAME = re.compile(r"[A-Za-z]_[A-Za-z]|`\w+`")


class Sentence(NamedTuple):
    """The words of a sentence. A `label` ends in a colon or is a heading; `bare` when no text follows it.

    `names` when it holds the name of something in a program: a function, a field, a tag.
    """

    words: tuple[str, ...]
    label: bool
    heading: bool
    bare: bool
    names: bool


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text that hold words."""
    flat = _PLACE.sub(f" {HOLE} ", _WRAPPED.sub(" ", _BLOCK.sub(" ", text)))
    found: list[Sentence] = []
    for match in _SENTENCE.finditer(flat):
        written = match.group().strip()
        words = tuple(word.replace("\u2019", "'") for word in _WORD.findall(written.lower()))
        if words and words != (COMMA,):
            heading = written.startswith("#") or (written.isupper() and len(words) > 1)
            bare = not flat[match.end() :].strip(" \n\t\"'`>*_#")
            found.append(
                Sentence(words, heading or written.endswith(":"), heading, bare, bool(_NAME.search(written)))
            )
    return found
