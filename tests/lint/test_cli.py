"""The command as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import ctxlint
import pytest
from ctxlint import version
from ctxlint.cli import main

DRIFT = "def digest(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"
MERGE = """\
def brief(llm, pages):
    parts = [llm.summarize(page) for page in pages]
    return llm.summarize(" ".join(parts))
"""
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _quiet(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cache of the machine, no colours."""
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with one drift loop."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app/memory.py").write_text(DRIFT)
    return tmp_path


def _command(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ctxlint", *words], capture_output=True, text=True, check=False, cwd=cwd
    )


@pytest.mark.parametrize(
    ("source", "words", "code"),
    [
        pytest.param("x = 1\n", (), 0, id="clean"),
        pytest.param(DRIFT, (), 1, id="error"),
        pytest.param(DRIFT, ("--fail-on", "never"), 0, id="error-never"),
        pytest.param(MERGE, (), 0, id="warning"),
        pytest.param(MERGE, ("--fail-on", "warning"), 1, id="warning-warning"),
        pytest.param(DRIFT, ("--select", "CTX002"), 0, id="not-selected"),
        pytest.param(DRIFT, ("--select", "resummarized-summary"), 1, id="selected-by-slug"),
        pytest.param("x = (\n", (), 0, id="unreadable"),
        pytest.param("x = (\n", ("--fail-on", "warning"), 1, id="unreadable-warning"),
        pytest.param(DRIFT, ("--select", "CTX999"), 2, id="no-such-rule"),
        pytest.param(DRIFT, ("--min-confidence", "high"), 0, id="not-sure-enough"),
        pytest.param(DRIFT, ("--min-confidence", "low"), 1, id="sure-enough"),
        pytest.param(DRIFT, ("--min-confidence", "some"), 2, id="no-such-confidence"),
        pytest.param(DRIFT, ("--jobs", "0"), 2, id="no-jobs"),
        pytest.param(DRIFT, ("--format", "xml"), 2, id="no-such-format"),
        pytest.param(DRIFT, ("--nonsense",), 2, id="no-such-option"),
    ],
)
def test_the_exit_code_says_what_happened(
    tmp_path: Path, source: str, words: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """0 nothing that matters, 1 findings, 2 no run."""
    (tmp_path / "a.py").write_text(source)
    assert main([str(tmp_path), *words]) == code
    assert bool(capsys.readouterr().out) is (code != 2)


def test_a_missing_path_is_exit_2_with_a_clear_message(capsys: pytest.CaptureFixture[str]) -> None:
    """A typing error never looks like a clean run."""
    assert main(["no/such/folder"]) == 2
    assert capsys.readouterr().err == (
        "ctxlint: no/such/folder does not exist, so nothing was linted; name a file or folder that exists\n"
    )


def test_no_path_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    """The message shows what to write."""
    assert main([]) == 2
    assert "`ctxlint .`" in capsys.readouterr().err


def test_paths_open_from_the_current_folder(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder that was named stands in front of the paths below it."""
    monkeypatch.chdir(project)
    main(["app"])
    assert "--> app/memory.py:4:16" in capsys.readouterr().out
    main(["."])
    assert "--> app/memory.py:4:16" in capsys.readouterr().out


def test_paths_of_a_folder_elsewhere_are_absolute(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A long row of `../..` helps nobody."""
    monkeypatch.chdir("/usr/bin")
    main([str(project)])
    assert f"--> {project}/app/memory.py:4:16" in capsys.readouterr().out


def test_sarif_goes_to_a_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --output nothing else is printed."""
    path = project / "out.sarif"
    assert main([str(project / "app"), "--format", "sarif", "--output", str(path)]) == 1
    assert capsys.readouterr().out == ""
    [result] = json.loads(path.read_text())["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "memory.py"


def test_statistics_go_to_standard_error(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report stays clean."""
    main([str(project), "--statistics"])
    captured = capsys.readouterr()
    assert "summarizer sites" in captured.err
    assert "summarizer sites" not in captured.out


def test_the_configuration_of_the_project_holds(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the command line overrules it."""
    (project / "pyproject.toml").write_text('[tool.ctxlint]\nfail-on = "never"\n')
    assert main([str(project)]) == 0
    assert main([str(project), "--fail-on", "error"]) == 1
    (project / "pyproject.toml").write_text('[tool.ctxlint]\nmin-confidence = "high"\n')
    assert main([str(project)]) == 0
    assert main([str(project), "--min-confidence", "medium"]) == 1
    (project / "pyproject.toml").write_text("[tool.ctxlint]\nfailon = 1\n")
    assert main([str(project)]) == 2
    assert "unknown key 'failon'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "title"),
    [
        pytest.param("CTX001", "CTX001 resummarized-summary: ", id="code"),
        pytest.param("summary-hierarchy", "CTX002 summary-hierarchy: ", id="slug"),
        pytest.param("CTX901", "CTX901 unreadable-file: ", id="unreadable"),
    ],
)
def test_a_rule_explains_itself(name: str, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The text of the documentation, in the terminal."""
    assert main(["--explain", name]) == 0
    told = capsys.readouterr().out
    assert told.startswith(title)
    assert "## Why is this bad?" in told


def test_a_crash_of_the_report_is_exit_2(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python's own exit code would say "findings"."""
    monkeypatch.setattr("ctxlint.report.text.MOST_RELATED", "no number")
    assert main([str(project)]) == 2
    assert "please report it" in capsys.readouterr().err


def test_no_cache_writes_none(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of the cache does not even appear."""
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(project / "cache"))
    main([str(project), "--no-cache"])
    assert not (project / "cache").exists()
    main([str(project), "--jobs", "1"])
    assert (project / "cache").exists()


def test_a_fault_of_ours_says_where(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bug report needs the place in our code."""
    from ctxlint.check import search

    def broken(*_args: object, **_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(search, "solve", broken)
    assert main([str(project)]) == 2
    assert "please report this (at test_cli.py:" in capsys.readouterr().err


def test_an_interrupt_is_no_traceback(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends the run quietly."""
    from ctxlint.check import search

    def interrupt(*_args: object, **_given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(search, "solve", interrupt)
    assert main([str(project)]) == 130
    assert capsys.readouterr().err == "ctxlint: interrupted\n"


def test_a_reader_that_leaves_early_is_no_error(project: Path) -> None:
    """`ctxlint . | head -1` prints one line and no traceback."""
    for number in range(300):
        (project / f"m{number}.py").write_text(DRIFT)
    command = f"{sys.executable} -m ctxlint . | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, cwd=project)
    assert done.stdout.startswith("error[CTX001]")
    assert done.stderr == ""


def test_the_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    """One version in two files."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ctxlint {ctxlint.__version__} (pure Python)\n"
    assert f'\nversion = "{ctxlint.__version__}"\n' in (ROOT / "pyproject.toml").read_text()


def test_the_version_says_whether_the_linter_is_compiled(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shared object beside the engine's source is what Python imports, and what the version reports."""
    (tmp_path / "taint").mkdir()
    (tmp_path / "taint" / f"engine{EXTENSION_SUFFIXES[0]}").touch()
    monkeypatch.setattr(version, "__file__", str(tmp_path / "version.py"))
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"ctxlint {ctxlint.__version__} (compiled)\n"


def _imported(*words: str) -> set[str]:
    """The modules that the command loads beyond those that Python itself has loaded."""
    code = (
        "import sys; before = set(sys.modules); from ctxlint.cli import main\n"
        f"main({list(words)!r}); print(*(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_the_version_needs_next_to_nothing() -> None:
    """`--version` is as quick as Python itself."""
    assert not _imported("--version") & {
        "argparse",
        "ast",
        "dataclasses",
        "json",
        "libcst",
        "pathlib",
        "pathspec",
        "re",
    }


def test_a_plain_run_needs_no_heavy_library(project: Path) -> None:
    """libcst, fixit and pathspec are loaded only by what needs them."""
    loaded = _imported(str(project), "--fail-on", "never")
    assert not loaded & {"libcst", "fixit", "pathspec", "rich", "json.encoder", "ctxlint.report.sarif"}


def test_the_module_is_the_command(project: Path) -> None:
    """`python -m ctxlint` works where the script is not on the path."""
    done = _command("app", cwd=project)
    assert done.returncode == 1
    assert done.stdout.startswith("error[CTX001]")


def test_colour_is_for_terminals(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe gets none, unless it asks; NO_COLOR always wins."""
    monkeypatch.delenv("NO_COLOR")
    assert "\x1b[" not in _command("app", cwd=project).stdout
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in _command("app", cwd=project).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in _command("app", cwd=project).stdout


def test_a_terminal_gets_colour_and_its_own_width(project: Path) -> None:
    """Under a real terminal of 70 columns."""
    import pty
    import struct
    import termios
    from fcntl import ioctl

    primary, secondary = pty.openpty()
    ioctl(secondary, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
    env = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "LINES"}} | {"TERM": "xterm"}
    with subprocess.Popen([sys.executable, "-m", "ctxlint", "app"], cwd=project, stdout=secondary, env=env) as run:
        os.close(secondary)
        told = b""
        while True:
            try:
                chunk = os.read(primary, 65536)
            except OSError:
                break
            if not chunk:
                break
            told += chunk
        run.wait(30)
    os.close(primary)
    assert b"\x1b[1;31merror[CTX001]" in told


def test_an_old_encoding_does_not_break_the_report(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters that a terminal cannot show become question marks."""
    (project / "app/memory.py").write_text(DRIFT.replace("memo", "메모"))
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = _command("app", cwd=project)
    assert done.returncode == 1
    assert "?? = llm.summarize" in done.stdout
