"""The examples of the README and the pages run, each page's in order and with one set of names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from tests.support.installed import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PAGES: Final = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/design").glob("*.md")),
]
EXAMPLES: Final = Sybil(parsers=[PythonCodeBlockParser(), SkipParser()])
SHOWN: Final = [page for page in PAGES if "```python" in page.read_text("utf-8")]


@pytest.mark.parametrize("page", SHOWN, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader who types the blocks of a page one after another gets what the page says."""
    monkeypatch.chdir(tmp_path)  # an example may open a store under a relative name
    examples = list(EXAMPLES.parse(page))
    assert examples
    for example in examples:
        example.evaluate()


def test_the_readme_and_the_stores_page_show_examples() -> None:
    """A reader of the two main pages finds blocks that run, and not none of them."""
    assert {"README.md", "stores.md"} <= {page.name for page in SHOWN}


def test_running_the_examples_leaves_nothing_in_the_checkout() -> None:
    """A user who runs the tests keeps a clean checkout: no store is left behind in it."""
    assert not list(ROOT.glob("*.db"))
