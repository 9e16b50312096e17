"""The registry of derived texts: calls by digest and by id."""

from __future__ import annotations

from ctxcontracts.contracts.registry import DerivedCall, MemoryRegistry, digest_of_whole


def call(call_id: str, text: str = "a red build") -> DerivedCall:
    return DerivedCall(
        id=call_id, digest=digest_of_whole(text), length=len(text), function="f", when="2026-01-01T00:00:00+00:00"
    )


def test_a_call_is_found_by_digest_and_by_id() -> None:
    """The first one that wrote a text is the one it is known by."""
    registry = MemoryRegistry()
    registry.register(call("a"))
    registry.register(call("b"))
    registry.register(call("c", "another"))
    assert registry.find(digest_of_whole("a red build")) == call("a")
    assert registry.by_id("b") == call("b")
    assert registry.find("unknown") is None
    assert registry.by_id("unknown") is None
    assert repr(registry) == "<MemoryRegistry, 3 calls>"
    assert len(registry) == 3


def test_white_space_at_the_ends_does_not_change_a_text() -> None:
    """Templates add line ends; a space inside makes another text."""
    assert digest_of_whole("\n a red build \n") == digest_of_whole("a red build")
    assert digest_of_whole("a red  build") != digest_of_whole("a red build")


def test_ids_are_new_and_can_stand_in_a_mark() -> None:
    """In every process, since marks outlive them."""
    ids = {MemoryRegistry().new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert all(one.isalnum() for one in ids)
