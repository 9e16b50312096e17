"""The mypy plugin: what it says, that it only adds errors, and that it says the same however mypy is run."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mypy import api

from ctxcontracts.mypy_plugin import CtxContractsPlugin, plugin
from ctxcontracts.mypy_plugin import messages as told
from ctxcontracts.mypy_plugin.names import DOORS, OBSERVES, REWRITES
from ctxcontracts.typing_config import CONFIGS
from tests.support.type_checkers import CASES
from tests.support.verdicts import verdicts

WITH = CONFIGS["mypy"].pyproject
# One case of each kind of hook is enough where the question is how mypy is run.
SOME = (
    "support",
    "r1_partial",
    "r1_rewrite_derived",
    "r2_door_expose_fstring",
    "r2_tool_body",
    "r6_body_method_renders",
    "r6_body_renders",
    "r6_closure_exposed",
    "r6_helper_chain",
    "r6_option_exposed",
    "r7_any",
    "ok_agent_turn",
    "ok_summarizer_body",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return filled(tmp_path)


def filled(folder: Path) -> Path:
    (folder / "pyproject.toml").write_text(WITH)
    for case in SOME:
        shutil.copy(CASES / f"{case}.py", folder)
    return folder


def lines(printed: str) -> list[str]:
    return sorted(line for line in printed.splitlines() if re.match(r"\S+\.py:\d+", line))


def mypy(folder: Path, *flags: str, tool: str = "mypy") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", tool, *flags], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return lines(done.stdout)


def in_process(folder: Path, *flags: str) -> list[str]:
    """As `mypy`, in this process, so that coverage sees the plugin."""
    out, err, code = api.run(["--config-file", str(folder / "pyproject.toml"), *flags, str(folder)])
    assert code in {0, 1}, out + err
    return lines(out.replace(f"{folder}/", ""))


def test_all_cases_in_one_process_say_what_stands_in_their_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each code has its error, and each error of ours says in its one line what to write instead."""
    shutil.copytree(CASES, tmp_path / "cases", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "cases" / "pyproject.toml").write_text(WITH)
    monkeypatch.chdir(tmp_path / "cases")
    said = in_process(tmp_path / "cases", "--cache-dir", str(tmp_path / "cache"))
    for code in ("ctx-rewrite", "ctx-launder", "ctx-any"):
        ours = [line for line in said if line.endswith(f"[{code}]")]
        assert ours
        assert all(re.search(r"; (\w+ )+", line) for line in ours)
    assert not [line for line in said if line.startswith("ok_") and ": error:" in line]


def test_it_only_adds_errors() -> None:
    """Whatever mypy says without the plugin it says with it, word for word, `functools.partial` included."""
    without, said = verdicts()["mypy-strict"].errors, verdicts()["mypy-plugin"].errors
    for case, by_line in without.items():
        for line, text in by_line.items():
            assert set(text.splitlines()) <= set(said[case][line].splitlines())
            added = set(said[case][line].splitlines()) - set(text.splitlines())
            assert all(re.search(r"\[ctx-\w+\]$", message) for message in added)
    assert "Argument 1" in said["r1_partial"][6]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], Path]:
    """What one plain run from a cold cache says, and the cache that it leaves."""
    folder = tmp_path_factory.mktemp("expected")
    filled(folder)
    said = mypy(folder, ".")
    assert len([line for line in said if "[ctx-" in line]) >= 9
    return said, folder / ".mypy_cache"


@pytest.mark.parametrize("flags", [("--no-native-parser",), ("-n", "2")], ids=["the parser of Python", "workers"])
def test_it_says_the_same_however_mypy_is_run(
    project: Path, flags: tuple[str, ...], expected: tuple[list[str], Path]
) -> None:
    """Parallel workers and the other parser give the same errors, from a cold cache."""
    assert mypy(project, *flags, ".") == expected[0]


def test_a_warm_cache_says_the_same_after_a_change(project: Path, expected: tuple[list[str], Path]) -> None:
    """With the incremental cache an error goes and comes with the line that makes it."""
    said, cache = expected
    shutil.copytree(cache, project / ".mypy_cache")
    assert mypy(project, ".") == said
    file = project / "r6_option_exposed.py"
    wrong = file.read_text()
    file.write_text(wrong.replace("previous=expose(der.text)", 'previous="x"'))
    assert mypy(project, ".") == [line for line in said if not line.startswith(file.name)]
    file.write_text(wrong)
    assert mypy(project, ".") == said


@pytest.fixture
def dmypy(project: Path) -> Iterator[Path]:
    yield project
    subprocess.run([sys.executable, "-m", "mypy.dmypy", "stop"], cwd=project, capture_output=True, check=False)


def test_the_daemon_says_the_same_after_a_change(dmypy: Path, expected: tuple[list[str], Path]) -> None:
    """Under dmypy an error goes and comes with the line that makes it, in a call and in the body of a summarizer."""
    run = ("run", "--", ".")
    said = expected[0]
    assert mypy(dmypy, *run, tool="mypy.dmypy") == said
    for name, wrong, right in (
        ("r6_option_exposed", "previous=expose(der.text)", 'previous="x"'),
        ("r6_closure_exposed", "so_far + str", '"x" + str'),
        ("r6_helper_chain", "titled(expose(der.text))", 'titled("x")'),
    ):
        file = dmypy / f"{name}.py"
        text = file.read_text()
        file.write_text(text.replace(wrong, right))
        assert mypy(dmypy, *run, tool="mypy.dmypy") == [line for line in said if not line.startswith(file.name)]
        file.write_text(text)
        assert mypy(dmypy, *run, tool="mypy.dmypy") == said


def test_it_hooks_nothing_but_this_library() -> None:
    """No hook of mypy's own and none of another plugin is hidden: a plugin that answers for a name takes it whole."""
    from mypy.options import Options

    ours = plugin("2.4.1")(Options())
    assert isinstance(ours, CtxContractsPlugin)
    for name in ("functools.partial", "builtins.len", "dataclasses.replace", "functools.singledispatch", "user.tool"):
        assert ours.get_function_hook(name) is None
        assert ours.get_function_signature_hook(name) is None
        assert ours.get_method_hook(name) is None
    assert ours.get_method_hook("typing.Mapping.get") is None
    assert all(name.startswith("ctxcontracts.") for name in [*DOORS, *OBSERVES, *REWRITES])


def test_every_message_is_one_line() -> None:
    """An error of mypy is a line of a terminal and of an editor."""
    for make in (
        told.derived_span,
        told.perhaps_derived_span,
        told.option,
        told.body,
        told.door,
        told.tool_result,
        told.observed_derived,
        told.no_door,
        told.any_span,
        told.any_text,
    ):
        assert "\n" not in make("call").text
        assert len(make("call").text) <= 200
