"""What a reader is told: every carrier, both ends, and the calls around the site from the inside out."""

from __future__ import annotations

import ast

import pytest
from ctxlint.finding import Finding, StepRole
from ctxlint.ir import lower_module
from ctxlint.models import load_models
from ctxlint.rules import check
from ctxlint.taint import solve

MODELS = load_models()
TWO_CARRIERS = """\
class Chat:
    def compact(self, llm, store):
        text = llm.invoke(f"Summarize: {self.memo} {self.notes}").content
        self.memo = text
        self.notes.append(text)
"""
LAYERS = """\
def inner(llm, text):
    return llm.invoke("Summarize: " + text).content


def middle(llm, text):
    return inner(llm, text)


def outer(llm, pages):
    memo = ""
    for page in pages:
        memo = middle(llm, memo + page)
    return memo


def elsewhere(llm):
    return outer(llm, ["a page"])
"""
STORED = """\
import json


class Chat:
    def compact(self):
        with open("notes.json") as file:
            memo = json.load(file)
        text = self.llm.invoke(f"Summarize: {memo}").content
        with open("notes.json", "w") as file:
            json.dump(text, file)
"""
TABLE = """\
class Chat:
    def compact(self):
        rows = self.db.execute("SELECT text FROM notes").fetchall()
        text = self.llm.invoke(f"Summarize: {rows}").content
        self.db.execute("INSERT INTO notes (text) VALUES (?)", (text,))
"""
ASKED = """\
class Chat:
    def compact(self):
        note = self.db.get_note(self.key)
        text = self.llm.invoke(f"Summarize: {note}").content
        self.db.save_note(self.key, text)
"""
BEHIND = """\
class Chat:
    def compact(self):
        text = self.llm.invoke(f"Summarize: {self.turns}").content
        self.turns = put_first({"content": text}, self.turns)


def put_first(note, turns):
    kept = turns[-4:]
    kept.insert(0, note)
    return kept
"""
CROWDED = """\
class Chat:
    def compact(self):
        text = self.llm.invoke(f"Summarize: {self.turns} {self.memo}").content
        for number in range(9):
            WRITES
        self.keep(text)

    def keep(self, text):
        self.put(text)

    def put(self, text):
        self.memo = text
"""
TWINS = """\
class Chat:
    def compact(self):
        self.memo = self.llm.invoke(f"Summarize: {self.memo}").content

    async def acompact(self):
        reply = await self.llm.ainvoke(f"Summarize: {self.memo}")
        self.memo = reply.content
"""


def findings(text: str) -> list[Finding]:
    """The findings in a program."""
    return check(solve([lower_module(ast.parse(text), path="chat.py", source=text)], MODELS))


def lines(finding: Finding, role: StepRole) -> set[int]:
    """The lines of the steps of a role, over all paths."""
    return {step.place.line for flow in finding.flows for step in flow if step.role is role}


def test_every_carrier_is_a_path_of_its_own() -> None:
    """Who closes one way has to know about the next."""
    [finding] = findings(TWO_CARRIERS)
    assert [len(finding.flows), lines(finding, StepRole.KEPT)] == [2, {4, 5}]


def test_the_sentence_names_both_ends_and_the_carrier() -> None:
    """Where it is written, kept and read."""
    [finding] = findings(TWO_CARRIERS)
    assert finding.message == (
        "text written at chat.py:3:16 is kept in self.memo at chat.py:4:9, read at chat.py:3:41, and reaches this "
        "call"
    )


def test_the_calls_around_a_site_come_from_the_inside_out() -> None:
    """The nearest is the likeliest to be changed."""
    [finding] = findings(LAYERS)
    assert finding.place.line == 2
    assert [related.place.line for related in finding.related] == [6, 12, 17]
    assert finding.related[0].note == "derived text is passed towards inner() here"


def test_of_many_callers_those_where_the_text_was_met_are_told() -> None:
    """The function reads the text itself; who works with it around the call is who can change something."""
    desk = (
        "class Desk:\n"
        "    def fold(self):\n"
        "        text = self.memo\n"
        '        self.memo = self.llm.invoke(f"Summarize: {text}").content\n'
    )
    others = "".join(f"def other{number}(desk: Desk):\n    desk.fold()\n" for number in range(9))
    keeper = "def keeper(desk: Desk, shelf):\n    shelf.append(desk.memo)\n    desk.fold(  )\n"
    [finding] = findings(desk + others + keeper)
    told = {related.place.line for related in finding.related}
    assert (desk + others + keeper).splitlines().index("    desk.fold(  )") + 1 in told


def test_the_loop_is_told_where_it_turns() -> None:
    """The head of a loop has no place in the text: the next use has."""
    [finding] = findings(LAYERS)
    assert [lines(finding, StepRole.KEPT), lines(finding, StepRole.READ)] == [{12}, {12}]


def test_twins_are_calls_of_their_own() -> None:
    """Each of them has to be mended."""
    found = findings(TWINS)
    assert [finding.place.line for finding in found] == [3, 6]
    assert [finding.flows[0][0].place.line for finding in found] == [3, 6]


def test_the_paths_of_a_finding_are_bounded() -> None:
    """Behind the eighth nobody reads on."""
    fields = "".join(f"        self.memo{number} = text\n" for number in range(20))
    joined = " ".join(f"{{self.memo{number}}}" for number in range(20))
    text = f'class Chat:\n    def compact(self):\n        text = self.llm.invoke(f"Summarize: {joined}")\n{fields}'
    [finding] = findings(text)
    assert len(finding.flows) == 8


def notes(finding: Finding, role: StepRole) -> set[str]:
    """What the steps of a role say, over all paths."""
    return {step.note for flow in finding.flows for step in flow if step.role is role}


@pytest.mark.parametrize(
    ("text", "kept", "read"),
    [
        pytest.param(STORED, "the file notes.json", "the file notes.json", id="file"),
        pytest.param(
            STORED.replace('"notes.json"', "str(self.path)"),
            "the file at self.path",
            "the file at self.path",
            id="str",
        ),
        pytest.param(TABLE, "the table notes", "the table notes", id="table"),
        pytest.param(ASKED, "self.db by save_note()", "self.db by get_note()", id="service"),
        pytest.param(
            STORED.replace('"notes.json"', "self.path"), "the file at self.path", "the file at self.path", id="path"
        ),
    ],
)
def test_a_store_is_called_by_its_file_or_table(text: str, kept: str, read: str) -> None:
    """`json by dump()` says where the code is, not where the text is."""
    [finding] = findings(text)
    assert finding.carrier == kept
    assert f"kept in {kept}" in notes(finding, StepRole.KEPT)
    assert f"read from {read}" in notes(finding, StepRole.READ)


def test_a_call_that_is_passed_through_is_told_from_inside() -> None:
    """Where it puts the text is what has to be changed."""
    [finding] = findings(BEHIND)
    assert lines(finding, StepRole.KEPT) == {4, 9}
    assert 'put under "content"' in notes(finding, StepRole.PASSED)


def test_many_ways_through_one_carrier_do_not_hide_another() -> None:
    """The best way into each carrier comes first, however far off it is."""
    writes = "\n            ".join(f'self.turns.append({{"field{number}": text}})' for number in range(20))
    [finding] = findings(CROWDED.replace("WRITES", writes))
    assert "kept in self.memo" in notes(finding, StepRole.KEPT)
