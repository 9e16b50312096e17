"""The documentation of the rules: complete, published as it is, and true of the rule."""

from __future__ import annotations

from pathlib import Path

import libcst
import pytest
from ctxlint import check_module
from ctxlint.rules import RULES
from markdown_it import MarkdownIt

from tests.support.rule_pages import HEADINGS, PAGES, pages


def sections(docs: str) -> dict[str, str]:
    """The code blocks of a rule's documentation, under the heading that they stand below."""
    found: dict[str, str] = {}
    heading = ""
    tokens = MarkdownIt().parse(docs)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[number + 1].content
            found[heading] = ""
        elif token.type == "fence":
            found[heading] += token.content
    return found


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_rule_is_documented_under_the_fixed_headings(code: str) -> None:
    """A reader finds the same sections in the same order for every rule."""
    assert list(sections(RULES[code].docs)) == HEADINGS


@pytest.mark.parametrize("code", sorted(RULES))
def test_the_example_is_reported_and_the_better_way_is_not(code: str) -> None:
    """What the page shows is what the rule does."""
    shown = sections(RULES[code].docs)
    select = None if RULES[code].default else {code}
    found = check_module(libcst.parse_module(shown["Example"]), select=select)
    assert {found.finding.code for found in found} == {code}
    assert check_module(libcst.parse_module(shown["Use instead"]), select=select) == []


def test_the_published_pages_are_those_of_the_rules() -> None:
    """After a change of a rule, `python -m tests.support.rule_pages` writes the pages again."""
    published = {path.name: path.read_text(encoding="utf-8") for path in Path(PAGES).glob("*.md")}
    assert published == pages()
