"""The IR travels between processes and lies in a cache: plain data, the same for the same file."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import ctxlint.ir.builder
import pytest

from tests.support.lint_ir import lowered

SOURCES = sorted(Path(ctxlint.ir.builder.__file__).parent.glob("*.py"))
_DIGEST = """
import hashlib, pickle, sys
from ctxlint.ir import lower_module
from ctxlint.syntax import parse_module
for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    module = lower_module(parse_module(text, "main.py"), path="main.py", source=text)
    print(hashlib.sha256(pickle.dumps(module)).hexdigest())
"""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_module_survives_pickling(path: Path) -> None:
    """Nothing in it is a syntax node, an open file or a function."""
    module = lowered(path.read_text(encoding="utf-8"))
    assert pickle.loads(pickle.dumps(module)) == module


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_the_same_source_gives_the_same_module(path: Path) -> None:
    """No state stays behind from one file to the next."""
    text = path.read_text(encoding="utf-8")
    first = lowered(text)
    lowered("def other(a):\n    return a\n")
    assert lowered(text) == first


def test_the_same_source_gives_the_same_bytes_in_every_process() -> None:
    """The order of a set never shows, whatever the seed of Python's hashes."""

    def digests(seed: str) -> list[str]:
        command = [sys.executable, "-c", _DIGEST, *map(str, SOURCES)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.split()

    first = digests("1")
    assert len(first) == len(SOURCES)
    assert digests("2") == first
