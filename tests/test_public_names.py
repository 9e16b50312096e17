"""The names of the package: all there, and light to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ctxcontracts

HEAVY = ["icontract", "sqlite3", "asyncio", "hypothesis"]


@pytest.mark.parametrize("name", ctxcontracts.__all__)
def test_a_public_name_can_be_imported_from_the_root(name: str) -> None:
    """Also the ones that are imported at their first use."""
    assert getattr(ctxcontracts, name) is not None
    assert name in dir(ctxcontracts)


def test_a_name_that_is_not_there_says_so() -> None:
    """As with any module."""
    with pytest.raises(AttributeError, match="no attribute 'Bufer'"):
        _ = ctxcontracts.Bufer  # type: ignore[attr-defined]


def test_the_package_is_light_until_it_is_used() -> None:
    """`import ctxcontracts` brings neither icontract nor a database."""
    code = f"import sys; old = set(sys.modules); import ctxcontracts; print((set(sys.modules) - old) & set({HEAVY}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
