"""What a variable may hold where a door takes it, through every kind of statement."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.type_checkers import CASES
from tests.typing.test_mypy_plugin import WITH, in_process

HEAD = """from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der


def drawn() -> bool:
    return True


def keep(text: str) -> None:
    print(text)


"""
PROGRAM = """
def matched(number: int) -> None:
    text = f"{number}"
    match number:
        case 1 if drawn():
            text = f"{expose(der.text)}"
        case _:
            keep(text)
    buf.observe(user_text(text))  # E


def matched_and_set_again(number: int) -> None:
    text = f"{expose(der.text)}"
    match number:
        case 1:
            keep(text)
        case _:
            keep(text)
    text = "done"
    buf.observe(user_text(text))


def tried() -> None:
    text = "a"
    try:
        text = f"{expose(der.text)}"
        keep(text)
    except OSError:
        buf.observe(user_text(text))  # E
    else:
        text = "b"
        buf.observe(user_text(text))


def tried_to_the_end() -> None:
    text = f"{expose(der.text)}"
    try:
        keep(text)
    finally:
        text = "done"
    buf.observe(user_text(text))


def left_early(lines: list[str]) -> None:
    text = "a"
    for line in lines:
        if drawn():
            text = f"{expose(der.text)}"
            break
        if line:
            continue
        text = line
    buf.observe(user_text(text))  # E


def left_for_good(lines: list[str]) -> None:
    text = "a"
    for line in lines:
        if drawn():
            text = f"{expose(der.text)}"
            keep(text)
            return
        if line:
            text = f"{expose(der.text)}"
            raise ValueError(text)
    buf.observe(user_text(text))


def asked_for_ever() -> None:
    text = "a"
    while True:
        text = f"{expose(der.text)}"
        if drawn():
            break
    buf.observe(user_text(text))  # E


def asked_while() -> None:
    text = "a"
    while drawn():
        buf.observe(user_text(text))  # E
        text = f"{expose(der.text)}"
    else:
        text = "b"


def added() -> None:
    text = "a"
    text += f"{expose(der.text)}"
    buf.observe(user_text(text))  # E


def opened(path: str) -> None:
    text = f"{expose(der.text)}"
    keep(text)
    with open(path) as file:
        text = file.read()
        buf.observe(user_text(text))


def within() -> None:
    def inner() -> None:
        text = f"{expose(der.text)}"
        buf.observe(user_text(text))  # E

    inner()


def within_and_set_again() -> None:
    def inner() -> None:
        text = f"{expose(der.text)}"
        keep(text)
        text = "done"
        buf.observe(user_text(text))

    inner()
"""


def test_the_plugin_sees_what_a_variable_holds_at_the_door(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Text that may be exposed at the door is refused, whatever led there; text that was set again is not."""
    (tmp_path / "pyproject.toml").write_text(WITH)
    shutil.copy(CASES / "support.py", tmp_path)
    program = HEAD + PROGRAM
    (tmp_path / "held.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    said = in_process(tmp_path, "--cache-dir", str(tmp_path / "cache"))
    ours = {int(line.split(":")[1]) for line in said if line.startswith("held.py") and "[ctx-launder]" in line}
    marked = {number for number, line in enumerate(program.splitlines(), 1) if line.endswith("# E")}
    assert ours == marked
