"""Ways that wind, and ways that stray: how far a way goes in the code says how sure it is.

    chat.messages -> saved.events -> view.events          two carriers, each named for content: told as any other
    self.agents -> self.name -> SYSTEM_PROMPT             a registry, a name, a setting, in four files: winds
    digest() in a.py -> b.py -> c.py: condense()          another summarizer, two files on: strays

Each carrier stands for all objects of its class, so that the chance that the text of one is the text of the other
falls with each. A summarizer that rewrites its own text does so near by, or through a store; that the text of one is
what the other one, two files on, was written for shows seldom. What remains is told to those who ask for findings of
low confidence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.taint.names import words_of
from ctxlint.taint.regions import HUB

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.flows import Way

_CARRIERS = 2
_FILES = 4
_ASTRAY = 3


def winds(engine: Engine, way: Way) -> bool:
    """The way goes through carriers in many files, and not all of them are named for content."""
    hubs = dict.fromkeys(hop.seed.value for hop in way.hops if hop.seed.function == HUB)
    if len(hubs) < _CARRIERS:
        return False
    if len(_files(engine, way)) < _FILES:
        return False
    names = {number: cell.name for cell, number in engine.numbers.items() if number in hubs}
    return not all(_is_content(engine, names.get(number, "")) for number in hubs)


def strays(engine: Engine, way: Way) -> bool:
    """The way goes through three files and more, from one summarizer to another in another file.

    A pass that summarizes parts and merges them is written in one place, or in two: for such a way it is enough to
    go through three.
    """
    apart = engine.program.module_of[way.source[0]] != engine.program.module_of[way.site[0]]
    return (apart or not way.later) and len(_files(engine, way)) >= _ASTRAY


def _files(engine: Engine, way: Way) -> set[int]:
    ends = {engine.program.module_of[way.source[0]], engine.program.module_of[way.site[0]]}
    return ends | {engine.program.module_of[hop.seed.function] for hop in way.hops if hop.seed.function != HUB}


def _is_content(engine: Engine, name: str) -> bool:
    words = engine.graph.models.words
    return bool(words_of(name) & (words.context | words.context_nouns | words.around | words.kept_nouns))
