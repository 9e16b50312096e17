"""The four steps of `docs/adoption.md`: each runs, and newly catches what its section says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.typing_config import CONFIGS

ROOT = Path(__file__).resolve().parents[2]
STEPS = ROOT / "examples" / "adoption"
PAGE = (ROOT / "docs" / "adoption.md").read_text(encoding="utf-8")
WITHOUT_PLUGIN = CONFIGS["mypy"].pyproject.replace('plugins = ["ctxcontracts.mypy_plugin"]\n', "")

_COMPACT_0 = """
        system, *old = self.messages
        summary = summarize(self.model, old)
        self.messages = [system, {"role": "user", "content": summary}]
"""
_COMPACT_1 = """
        turns = [message for message in self.messages[1:] if "summary" not in message]
        kept = [message for message in self.messages if message not in turns]
        summary = summarize(self.model, turns)
        self.messages = [*kept, {"role": "user", "content": summary, "summary": True}]
"""
_REWRITE = "        return self.buffer.rewrite(turns, self.summarize)\n"
_OBSERVED = """
        summary = self.buffer.rewrite(turns, self.summarize)
        self.buffer.observe(user_text(expose(summary.text)))
        return summary
"""
_ALL = "        return self.buffer.rewrite(self.buffer.spans, self.summarize)\n"
_COMPACTED = "        self.compactor.compact(self.summarize)\n"
_OPTION = """
        turns = [span for span in self.buffer.spans if is_observed(span)]
        summary = self.buffer.rewrite(turns[:1], self.summarize)
        self.buffer.rewrite(turns[1:], self.summarize, focus=expose(summary.text))
"""


def step(number: int, *changes: tuple[str, str]) -> str:
    """The program of a step, with pieces of it replaced."""
    text = (STEPS / f"step{number}.py").read_text(encoding="utf-8")
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def run(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "agent.py").write_text(text)
    return subprocess.run([sys.executable, "agent.py"], cwd=folder, capture_output=True, text=True, check=False)


def mypy(folder: Path, text: str, config: str) -> str:
    (folder / "agent.py").write_text(text)
    (folder / "pyproject.toml").write_text(config)
    command = [sys.executable, "-m", "mypy", "agent.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("number", range(5))
def test_a_step_runs_and_does_the_work(number: int, tmp_path: Path) -> None:
    """Eight questions are answered, and the window stays small."""
    done = run(tmp_path, step(number))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("There are 6 errors") == 8


def test_the_linter_needs_no_step(tmp_path: Path) -> None:
    """Ctxlint reports the program of step 0 and none of the others."""
    for number in range(5):
        command = [sys.executable, "-m", "ctxlint", str(STEPS / f"step{number}.py")]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ("CTX001" in done.stdout) == (number == 0)
        assert (done.returncode == 1) == (number == 0)


def test_step_1_catches_the_compaction_of_step_0(tmp_path: Path) -> None:
    """`@derives` alone turns the drift into an error of the run."""
    assert run(tmp_path, step(0)).returncode == 0
    done = run(tmp_path, step(1, (_COMPACT_1, _COMPACT_0)))
    told = "DerivedAgainError: summarize(...): messages[0]['content'] holds text that a call to summarize derived at"
    assert told in done.stderr
    assert told in PAGE


def test_step_2_catches_a_summary_that_is_observed(tmp_path: Path) -> None:
    """In a list of messages nobody minds under which role it stands; a door does."""
    role = ('{"role": "user", "content": summary', '{"role": "assistant", "content": summary')
    assert run(tmp_path, step(1, role)).returncode == 0
    done = run(
        tmp_path, step(2, ("    ContextBuffer,\n", "    ContextBuffer,\n    expose,\n"), (_REWRITE, _OBSERVED))
    )
    assert "ProvenanceError: user_text() was given derived text" in done.stderr


def test_step_3_catches_a_rewrite_of_all_spans_before_it_runs(tmp_path: Path) -> None:
    """What step 2 says when it runs, a checker says of step 3."""
    assert mypy(tmp_path, step(2, (_REWRITE, _ALL)), "[tool.mypy]\n").startswith("Success")
    assert mypy(tmp_path, step(3), WITHOUT_PLUGIN).startswith("Success")
    said = mypy(tmp_path, step(3, (_REWRITE, _ALL)), WITHOUT_PLUGIN)
    assert 'has incompatible type "tuple[ObservedSpan | DerivedSpan, ...]"' in said
    assert said.splitlines()[0].partition(": ")[2] in PAGE


def test_step_4_catches_a_summary_in_an_option_before_it_runs(tmp_path: Path) -> None:
    """The option is a `str`, and so is exposed text: the plugin of mypy follows it."""
    names = ("    ContextBuffer,\n", "    ContextBuffer,\n    expose,\n    is_observed,\n")
    text = step(4, names, (_COMPACTED, _OPTION))
    assert mypy(tmp_path, text, WITHOUT_PLUGIN).startswith("Success")
    assert mypy(tmp_path, step(4), CONFIGS["mypy"].pyproject).startswith("Success")
    said = mypy(tmp_path, text, CONFIGS["mypy"].pyproject)
    assert "[ctx-rewrite]" in said
    assert said.splitlines()[0].partition(": ")[2] in PAGE
