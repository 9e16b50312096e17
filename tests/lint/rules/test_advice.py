"""The advice fits the site: it names what this code already has."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest
from ctxlint.finding import Confidence, Finding
from ctxlint.ir import lower_module
from ctxlint.models import load_models
from ctxlint.rules import check
from ctxlint.taint import solve

MODELS = load_models()
CHAT = """
    class Chat:
        def __init__(self):
            self.turns = []
            self.memo = ""

        def hear(self, turn):
            self.turns.append(turn)

        def compact(self, llm):
            {body}
"""


def found(text: str) -> Finding:
    """The only finding in a program."""
    source = dedent(text)
    [finding] = check(solve([lower_module(ast.parse(source), path="chat.py", source=source)], MODELS))
    return finding


def messages(note: str) -> str:
    """A message list that the summary is put in front of."""
    return (
        "class Chat:\n    def compact(self, llm):\n        text = llm.summarize(self.messages)\n"
        f"        self.messages = [{note}, *self.messages[-4:]]\n"
    )


@pytest.mark.parametrize(
    ("note", "advice"),
    [
        pytest.param(
            '{"role": "system", "content": text, "is_summary": True}',
            "Leave out of this call's input what has is_summary=True: that is already written next to the summary, "
            "in line 4.",
            id="flag",
        ),
        pytest.param(
            '{"kind": "summary", "content": text}',
            'Leave out of this call\'s input what has kind="summary": that is already written next to the summary, '
            "in line 4.",
            id="kind",
        ),
        pytest.param(
            "SummaryMessage(content=text)",
            "Leave out of this call's input what is a SummaryMessage: that is already written next to the summary, "
            "in line 4.",
            id="class",
        ),
        pytest.param(
            '{"role": "user", "content": "[Summary so far] " + text}',
            'Leave out of this call\'s input what starts with "[Summary so far]": that is already written next to '
            "the summary, in line 4.",
            id="prefix",
        ),
        pytest.param(
            '{"role": "user", "content": text}',
            "Mark the summary when you put it into self.messages (for example is_summary=True) and leave what is "
            "marked out of this call's input.",
            id="no-marker",
        ),
    ],
)
def test_a_marker_that_exists_is_named(note: str, advice: str) -> None:
    """Else one is asked for."""
    assert found(messages(note)).advice == advice


NO_MARKER = (
    "Mark the summary when you put it into self.messages (for example is_summary=True) and leave what is marked out "
    "of this call's input."
)


@pytest.mark.parametrize(
    "note",
    [
        pytest.param("(text, True)", id="tuple"),
        pytest.param('("summary", text)', id="tuple-of-texts"),
        pytest.param('{"content": [text, "summary"]}', id="list-of-parts"),
        pytest.param('{"content": SummaryResult(text=text, is_summary=True).text}', id="taken-out-of-its-object"),
        pytest.param('{"content": text, "hidden": True}', id="flag-of-something-else"),
        pytest.param('{"content": text.strip(summary=True)}', id="what-a-method-is-told"),
        pytest.param('{"content": f"{SummaryResult(text=text)}"}', id="object-in-a-text"),
    ],
)
def test_what_the_input_does_not_show_is_no_marker(note: str) -> None:
    """A position has no name, and an object that is taken apart leaves its flags behind."""
    assert found(messages(note)).advice == NO_MARKER


def test_an_object_around_the_list_marks_no_message() -> None:
    """All messages are in it, also the originals."""
    text = """
        class Chat:
            def compact(self, llm):
                result = self.shorten(llm)
                self.messages = result.messages

            def shorten(self, llm):
                text = llm.summarize(self.messages)
                return SummaryResult(messages=[{note}, *self.messages[-4:]], is_summary=True)
    """
    assert found(text.replace("{note}", '{"content": text}')).advice == NO_MARKER
    marked = found(text.replace("{note}", "SummaryMessage(content=text)")).advice
    assert marked == (
        "Leave out of this call's input what is a SummaryMessage: that is already written next to the summary, "
        "in line 9."
    )


def test_an_object_that_is_stored_around_the_list_marks_no_message() -> None:
    """The session is read again as a whole."""
    text = """
        class Chat:
            def compact(self, llm):
                session = self.db.get_session(self.key)
                text = llm.summarize(session["messages"])
                self.db.save_session({"messages": [{"content": text}], "has_summary": True})
    """
    assert found(text).advice == (
        "Give the summary a kind of its own where it is stored (self.db by save_session()) and leave that kind out "
        "when this call's input is read, or read the originals again."
    )


@pytest.mark.parametrize(
    ("body", "advice"),
    [
        pytest.param(
            'self.memo = llm.summarize(f"{self.memo} {self.turns}")',
            "Summarize from self.turns, which still holds the originals, and leave self.memo out of the input.",
            id="kept",
        ),
        pytest.param(
            'self.memo = llm.summarize(f"{self.memo} {self.turns}"); self.turns.clear()',
            "Keep the originals (self.turns is cut in compact(): keep what it held) and summarize from them, or put "
            "each new summary beside self.memo.",
            id="cleared",
        ),
        pytest.param(
            'self.memo = llm.summarize(f"{self.memo} {self.turns}"); self.turns = self.turns[-4:]',
            "Keep the originals (self.turns is cut in compact(): keep what it held) and summarize from them, or put "
            "each new summary beside self.memo.",
            id="cut",
        ),
        pytest.param(
            'self.memo = llm.summarize(f"Extend the summary {self.memo} by {self.lines}")',
            "Ask for a summary of the new text alone instead of one that extends self.memo, and put it beside the "
            "earlier ones.",
            id="extends",
        ),
        pytest.param(
            "self.memo = llm.summarize(self.memo + self.line)",
            "Keep the originals and summarize from them, or put each new summary beside self.memo.",
            id="nothing-there",
        ),
    ],
)
def test_originals_that_are_still_there_are_named(body: str, advice: str) -> None:
    """And those that this function takes away."""
    assert found(CHAT.format(body=body)).advice == advice


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        pytest.param(
            """
            def refine(llm, pages):
                memo = ""
                for page in pages:
                    memo = llm.summarize(memo + page)
            """,
            "Summarize each of pages by itself and keep the summaries side by side in a list, instead of passing "
            "memo into the next round.",
            id="variable",
        ),
        pytest.param(
            """
            def run(llm, inbox):
                history = []
                for line in inbox:
                    history.append(line)
                    history[:] = [llm.summarize(history)]
            """,
            "Mark the summary when you put it into history (for example is_summary=True) and leave what is marked "
            "out of this call's input.",
            id="list",
        ),
        pytest.param(
            """
            def collapse(llm, texts):
                return collapse(llm, [llm.summarize(text) for text in texts])
            """,
            "Pass originals, not summaries, to the next level of collapse(), or return the summaries of the parts "
            "side by side.",
            id="recursion",
        ),
        pytest.param(
            """
            def digest(llm, chapters):
                return llm.summarize([llm.summarize(chapter) for chapter in chapters])
            """,
            "Summarize the originals in one call, or keep the summaries of the parts side by side instead of merging "
            "them.",
            id="merge",
        ),
    ],
)
def test_what_carries_the_text_decides(text: str, advice: str) -> None:
    """A loop, a list and a recursion are changed in different ways."""
    assert found(text).advice == advice


def test_confidence_is_that_of_the_weaker_end() -> None:
    """A prompt is sure, a name alone is not."""
    sure = 'def run(llm, memo):\n    while True:\n        memo = llm.invoke("Summarize: " + memo)\n'
    assert found(sure).confidence is Confidence.HIGH
    assert found(sure.replace('invoke("Summarize: " +', "summarize(")).confidence is Confidence.MEDIUM


def test_a_long_way_lowers_confidence_once() -> None:
    """One of many links may be a guess."""
    inner = "".join(
        f"def step{number}(llm, text):\n    return step{number + 1}(llm, text)\n\n\n" for number in range(5)
    )
    far = f"{inner}def step5(llm, text):\n    return llm.invoke('Summarize: ' + text)\n\n\n"
    source = f"{far}def run(llm, text):\n    while True:\n        text = step0(llm, text)\n"
    near = source.replace("        text = step0", "        text = step4")
    assert found(source).confidence is Confidence.MEDIUM
    assert found(near).confidence is Confidence.HIGH
