"""The solution as a whole: the same whatever the order, bounded, and silent on files without a word of it."""

from __future__ import annotations

import ast
import itertools

import pytest
from ctxlint.errors import UsageError
from ctxlint.finding import StepRole
from ctxlint.ir import ModuleIR, lower_module
from ctxlint.models import load_models
from ctxlint.rules import RULES, check
from ctxlint.taint import engine, solve

MODELS = load_models()
FILES = {
    "app/__init__.py": "",
    "app/memory.py": "class Memory:\n    def save(self, turns):\n"
    "        self.memo = self.llm.summarize(turns)\n"
    "    def again(self, turns):\n        return self.llm.summarize([self.memo, turns])\n",
    "app/run.py": "from .memory import Memory\n\ndef run(llm, pages):\n    memo = ''\n    for page in pages:\n"
    "        memo = llm.summarize(memo + page)\n    return memo\n",
}


def lowered(files: dict[str, str]) -> list[ModuleIR]:
    """The IR of some files."""
    return [lower_module(ast.parse(text), path=path, source=text) for path, text in files.items()]


def test_the_order_of_the_files_does_not_matter() -> None:
    """Workers may finish in any order."""
    answers = {tuple(check(solve(order, MODELS))) for order in itertools.permutations(lowered(FILES))}
    assert len(answers) == 1
    assert [finding.place.line for finding in next(iter(answers))] == [5, 6]


def test_every_path_starts_where_it_is_written_and_ends_where_it_arrives() -> None:
    """Both ends and the carrier are named."""
    for finding in check(solve(lowered(FILES), MODELS)):
        assert finding.flows
        for flow in finding.flows:
            assert [flow[0].role, flow[-1].role] == [StepRole.WRITTEN, StepRole.REACHES]
        assert finding.carrier in finding.message


def test_files_that_never_speak_of_summaries_are_not_solved() -> None:
    """Most runs over small programs end here."""
    assert solve(lowered(FILES), MODELS, speaks=False).sites == ()


def test_a_budget_that_is_spent_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence must not look like a clean bill."""
    monkeypatch.setattr(engine, "_MAX_STEPS", 2)
    assert solve(lowered(FILES), MODELS).exhausted


def test_the_rules_can_be_selected() -> None:
    """A code that no rule has is an error."""
    solution = solve(lowered(FILES), MODELS)
    assert check(solution, select=["CTX002"]) == []
    with pytest.raises(UsageError, match="CTX999"):
        check(solution, select=["CTX999"])


@pytest.mark.parametrize("code", RULES)
def test_every_rule_documents_itself_under_the_fixed_headings(code: str) -> None:
    """The pages of the rules are made from these texts."""
    headings = [line[3:] for line in RULES[code].docs.splitlines() if line.startswith("## ")]
    assert headings == [
        "What it does",
        "Why is this bad?",
        "Example",
        "Use instead",
        "How it decides",
        "Known limits",
    ]


def test_a_marked_function_is_a_summarizer_whatever_it_is_called() -> None:
    """The strongest evidence is the user's own word."""
    text = (
        "from ctxcontracts import summarizer\n\n@summarizer\ndef boil(text):\n    return remote(text)\n\n"
        "def run(pages):\n    memo = ''\n    for page in pages:\n        memo = boil(memo + page)  # summary\n"
    )
    assert [finding.place.line for finding in check(solve(lowered({"a.py": text}), MODELS))] == [10]


CYCLES = {
    "a/__init__.py": "from .b import *\nfrom .c import thing\n",
    "a/b.py": "from . import thing\nfrom .c import *\nclass B(C): pass\n",
    "a/c.py": "from .b import *\nfrom .b import B as C\nthing = thing\n"
    "class D(D): pass\ndef f(llm, x):\n    x = f\n    x = x(llm, x)\n    return llm.summarize(thing, x)\n",
}


def test_names_that_lead_in_circles_have_no_answer() -> None:
    """Imports, classes and functions may refer to each other in any way."""
    assert solve(lowered(CYCLES), MODELS).sites


def test_a_field_that_is_used_in_hundreds_of_places_is_followed_all_the_same() -> None:
    """Each use puts back what it took; none of them asks the one before it."""
    uses = "".join(f"    def step_{number}(self, text):\n        self.llm.log(text)\n" for number in range(400))
    kept = "class Memory:\n    def __init__(self, llm):\n        self.llm = llm\n"
    text = FILES["app/memory.py"].replace("class Memory:\n", kept) + uses
    assert [finding.code for finding in check(solve(lowered({"app/memory.py": text}), MODELS))] == ["CTX001"]
