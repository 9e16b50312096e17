"""The command line of the library."""

from __future__ import annotations

import tomllib

import pytest

from ctxcontracts.cli import main
from ctxcontracts.typing_config import CONFIGS


@pytest.mark.parametrize("checker", sorted(CONFIGS))
def test_typing_config_prints_toml_with_the_hook_and_the_step_as_comments(
    checker: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed can be appended to a pyproject.toml as it is."""
    assert main(["typing-config", checker]) == 0
    printed = capsys.readouterr().out
    assert "tool" in tomllib.loads(printed)
    assert f"#       entry: {CONFIGS[checker].command}\n" in printed
    assert f"# - run: {CONFIGS[checker].command}\n" in printed


def test_an_unknown_checker_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """A typo ends with the names to choose from."""
    with pytest.raises(SystemExit) as ended:
        main(["typing-config", "mypyy"])
    assert ended.value.code == 2
    assert "basedpyright" in capsys.readouterr().err
