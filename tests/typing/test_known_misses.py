"""What happens at run time where a type checker is silent."""

from __future__ import annotations

import pytest

from ctxcontracts import ProvenanceError, expose, tool, user_text
from tests.support.spans import derived


def test_a_str_annotation_does_not_carry_derived_text_through_a_door() -> None:
    """The door looks at the value, not at its annotation."""
    text: str = expose(derived().text)
    with pytest.raises(ProvenanceError, match="derived text"):
        user_text(text)


def test_an_edit_of_exposed_text_is_refused_by_a_door() -> None:
    """What is added to a summary does not make it an original."""
    with pytest.raises(ProvenanceError):
        user_text(expose(derived().text) + "!")  # type: ignore[deprecated]


def test_a_tool_cannot_return_exposed_text() -> None:
    """The result of a tool goes through the door of tools."""

    @tool
    def bad() -> str:
        return expose(derived().text)

    with pytest.raises(ProvenanceError, match="@tool bad"):
        bad()


@pytest.mark.parametrize("formatted", [lambda d: f"{d}", str], ids=["f-string", "str()"])
def test_formatting_derived_text_gives_its_size_and_not_the_text(formatted: object) -> None:
    """So that no checker and no door has to tell it from a text of the user."""
    text = derived(text="the secret summary").text
    assert user_text(formatted(text)) == "<DerivedText, 18 characters>"
