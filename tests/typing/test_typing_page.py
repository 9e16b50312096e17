"""`docs/typing.md` is what the checkers say today, and leaves no hole without an owner."""

from __future__ import annotations

import pytest

from tests.support.type_checkers import skip_or_fail
from tests.support.typing_page import COMMONEST, PAGE, owners, page
from tests.support.verdicts import must_fail, verdicts


@pytest.fixture(scope="module", autouse=True)
def all_checkers() -> None:
    for said in verdicts().values():
        if said.missing:
            skip_or_fail(said.missing)


def test_the_page_is_up_to_date() -> None:
    """`python -m tests.support.typing_page` would change nothing."""
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("case", must_fail())
def test_every_case_has_an_owner(case: str) -> None:
    """What the types do not see the plugin, the run or the linter does."""
    assert owners(case)


def test_six_mistakes_are_quoted() -> None:
    """The page shows what is printed for the six commonest mistakes."""
    assert len({case for case, _ in COMMONEST}) == 6
