"""Of which texts nothing comes."""

from __future__ import annotations

import ast

from ctxlint.ir import lower_module
from ctxlint.models import load_models
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.deadends import DeadEnds
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Path
from ctxlint.taint.program import Program
from ctxlint.taint.sites import SiteFinder
from ctxlint.taint.values import Values

RUN = 1
"""The value of the first parameter."""


def is_dead_end(body: str, path: Path) -> bool:
    """Nothing comes of text at a path of the parameter `run` of a function with this body."""
    source = "def step(run, box, pages):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    program = Program([lower_module(ast.parse(source), path="main.py", source=source)])
    graph = CallGraph(program, Values(program), load_models())
    finder = SiteFinder(graph)
    return DeadEnds(Engine(graph, finder.find(), finder)).has(1, RUN, path)


def test_what_is_only_looked_at_goes_nowhere() -> None:
    """Tests, lengths and other fields say nothing of the text."""
    assert is_dead_end("if run.ok:\n    print(len(run.notes))", ("notes",))
    assert is_dead_end("return run.id_card", ("notes",))
    assert is_dead_end("kept = run if box else None", ())


def test_what_leaves_is_followed() -> None:
    """By the end of the function, into an object, into a call that may do anything with it."""
    assert not is_dead_end("return run.notes", ("notes",))
    assert not is_dead_end("box.kept = run", ("notes",))
    assert not is_dead_end("box.take(run.notes)", ("notes",))
    assert not is_dead_end("def inner():\n    return run", ("notes",))


def test_what_comes_around_a_loop_is_followed() -> None:
    """The text leaves by a variable that only the next round reads."""
    around = "text = ''\nfor page in pages:\n    box.take(text)\n    text = run.notes"
    assert not is_dead_end(around, ("notes",))
    assert is_dead_end(around, ("turns",))
