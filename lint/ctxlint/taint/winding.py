"""Ways that wind: through several carriers and many files, where some carriers are named for something else.

    chat.messages -> saved.events -> view.events          two carriers, each named for content: told as any other
    self.agents -> self.name -> SYSTEM_PROMPT             a registry, a name, a setting, in four files: hardly a way

Each carrier stands for all objects of its class, so that the chance that the text of one is the text of the other
falls with each. What remains is told to those who ask for findings of low confidence.
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


def winds(engine: Engine, way: Way) -> bool:
    """The way goes through carriers in many files, and not all of them are named for content."""
    hubs = dict.fromkeys(hop.seed.value for hop in way.hops if hop.seed.function == HUB)
    if len(hubs) < _CARRIERS:
        return False
    files = {engine.program.module_of[hop.seed.function] for hop in way.hops if hop.seed.function != HUB}
    if len(files) < _FILES:
        return False
    names = {number: cell.name for cell, number in engine.numbers.items() if number in hubs}
    return not all(_is_content(engine, names.get(number, "")) for number in hubs)


def _is_content(engine: Engine, name: str) -> bool:
    words = engine.graph.models.words
    return bool(words_of(name) & (words.context | words.context_nouns | words.around | words.kept_nouns))
