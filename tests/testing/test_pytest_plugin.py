"""What pytest prints when a comparison of span texts fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.testing.pytest_plugin import pytest_assertrepr_compare
from tests.support.spans import derived, observed

ROOT = Path(__file__).resolve().parents[2]
SECRET = "the vault opens at nine"
FAILING = f"""
import os

from ctxcontracts import ContextBuffer, expose, summarizer, user_text

SECRET = os.environ["SECRET"]

@summarizer
def shrink(spans):
    return "{SECRET}"

def compared(left, right):
    assert left == right

def test_texts():
    buffer = ContextBuffer()
    compared(buffer.observe(user_text("{SECRET}")).text, "the vault opens at ten")

def test_spans():
    buffer = ContextBuffer()
    one, other = buffer.observe_all([user_text("{SECRET}"), user_text("{SECRET}!")])
    compared(one, other)

def test_summary():
    buffer = ContextBuffer()
    span = buffer.rewrite(buffer.observe(user_text("long " * 99)), shrink)
    compared([span], [span.text])

def test_exposed():
    buffer = ContextBuffer()
    span = buffer.rewrite(buffer.observe(user_text("long " * 99)), shrink)
    compared("so it was written", expose(span.text))

def test_raises():
    text = ContextBuffer().observe(user_text("{SECRET}")).text
    raise ValueError(f"{{text!r}}")
"""


def test_a_failing_test_prints_no_text_of_a_span(tmp_path: Path) -> None:
    """Diffs, locals and tracebacks show kind and length; only the source lines of the test itself hold the text."""
    (tmp_path / "test_it.py").write_text(FAILING.replace(f'"{SECRET}', 'SECRET + "'))
    # Where the library is installed pytest loads the plugin by itself, and a second time is an error.
    plugin = ("-p", "no:ctxcontracts", "-p", "ctxcontracts.testing.pytest_plugin", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *plugin, "-vv", "-l"]
    environment = {**os.environ, "SECRET": SECRET, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert "5 failed" in done.stdout
    assert SECRET not in done.stdout
    assert "<ObservedText user, 23 characters> == <str, 22 characters>" in done.stdout
    assert "they differ from character 19 on" in done.stdout


def test_texts_of_others_are_compared_as_ever() -> None:
    """The plugin speaks of nothing but span texts."""
    assert pytest_assertrepr_compare("==", "a", "b") is None


@pytest.mark.parametrize("op", ["==", "in", "!="])
def test_every_operator_is_told_without_the_text(op: str) -> None:
    """Whatever stands on the other side."""
    for left, right in ((observed().text, 3), ("red", observed().text), (derived().text.expose(), "red")):
        told = pytest_assertrepr_compare(op, left, right)
        assert told
        assert "build" not in "".join(told)
