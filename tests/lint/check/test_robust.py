"""Files that nobody should write: each is analysed or reported, and the files beside it stand."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from ctxlint.check import Options, run
from ctxlint.config import Config
from ctxlint.outcome import Outcome

from tests.support.unprivileged import WARM_IMPORTS, open_folder, output_unprivileged

DRIFT = """\
def digest(llm, pages):
    memo = ""
    for page in pages:
        memo = llm.summarize(memo + page)
    return memo
"""


def _doubled(first: str, then: str, last: str) -> bytes:
    """A program each line of which uses the one before it twice, and a model that is asked with the last."""
    lines = [first, *(then.format(n=n, m=n - 1) for n in range(1, 41)), "def ask(llm, x):"]
    return "\n".join([*lines, f"    return llm.invoke({last.format(m=40)})", ""]).encode()


def _lint(folder: Path, options: Options | None = None) -> Outcome:
    return run([folder], Config(), options=options or Options(jobs=1, cache=False))


def _found(outcome: Outcome) -> dict[str, list[tuple[str, int]]]:
    found: dict[str, list[tuple[str, int]]] = {}
    for finding in outcome.findings:
        found.setdefault(finding.place.path, []).append((finding.code, finding.place.line))
    return found


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(b"x = (\n", 1, id="syntax-error"),
        pytest.param(b"x = 1\ny = = 2\n", 2, id="syntax-error-later"),
        pytest.param(b"# -*- coding: nonsense -*-\nx = 1\n", 1, id="unknown-encoding"),
        pytest.param(b"x = '\xff'\n", 1, id="not-utf-8"),
        pytest.param(b"x = 1\ny = '\xff'\n", 2, id="not-utf-8-later"),
        pytest.param(b"x = 1\n\0\n", 2, id="null-byte"),
        pytest.param(b"x = " + b"(" * 3000 + b"1" + b")" * 3000 + b"\n", 1, id="deep-parentheses"),
        pytest.param(bytes(range(256)) * 40, 3, id="binary"),
        pytest.param(b"def f(:\n    secret = 'hunter2'\n", 1, id="half-a-function"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path, data: bytes, line: int) -> None:
    """CTX901 at the right line, without a word of the file; the other file's finding stands."""
    (tmp_path / "bad.py").write_bytes(data)
    (tmp_path / "good.py").write_text(DRIFT)
    outcome = _lint(tmp_path)
    assert _found(outcome) == {"bad.py": [("CTX901", line)], "good.py": [("CTX001", 4)]}
    assert "hunter2" not in outcome.findings[0].message


@pytest.mark.parametrize(
    ("data", "line"),
    [
        pytest.param(DRIFT.replace("\n", "\r\n").encode(), 4, id="crlf"),
        pytest.param(DRIFT.replace("\n", "\r").encode(), 4, id="cr"),
        pytest.param(b"\xef\xbb\xbf" + DRIFT.encode(), 4, id="byte-order-mark"),
        pytest.param(b"\f\n" + DRIFT.encode(), 5, id="form-feed"),
        pytest.param(DRIFT.replace("memo", "메모").encode(), 4, id="unicode-names"),
        pytest.param(b"# coding: latin-1\n# \xe9\n" + DRIFT.encode(), 6, id="latin-1"),
        pytest.param(DRIFT.encode() + b"\x0c", 4, id="form-feed-at-the-end"),
        pytest.param(DRIFT.encode().rstrip(), 4, id="no-line-end"),
    ],
)
def test_a_file_that_python_reads_is_analysed(tmp_path: Path, data: bytes, line: int) -> None:
    """Line ends, encodings and alphabets do not hide a finding or move it."""
    (tmp_path / "odd.py").write_bytes(data)
    [finding] = _lint(tmp_path).findings
    assert (finding.code, finding.place.line) == ("CTX001", line)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\n\n", id="blank"),
        pytest.param(b"x = f" + b"()" * 3000 + b"\n", id="chain-of-calls"),
        pytest.param(b"x = f" + b".g()" * 3000 + b"\n", id="chain-of-methods"),
        pytest.param(b"x = " + b"1 + " * 20_000 + b"1\n", id="long-sum"),
        pytest.param(b"x = " + b"-" * 20_000 + b"1\n", id="many-signs"),
        pytest.param(b"".join(b" " * n + b"if x:\n" for n in range(98)) + b" " * 98 + b"pass\n", id="deep-blocks"),
        pytest.param(b"x = [\n" + b"    [1, 2, 3],\n" * 20_000 + b"]\n", id="long-table"),
        pytest.param(b"x = " + b" and ".join([b"a"] * 20_000) + b"\n", id="long-condition"),
        pytest.param(b"match x:\n" + b"    case A(b=1): pass\n" * 3000, id="many-cases"),
        pytest.param(_doubled('P0 = "Summarize {x}"', "P{n} = P{m} + P{m}", "P{m}"), id="text-of-itself"),
        pytest.param(_doubled('P0 = "Summarize {x}"', "P{n} = P{m}.format(x=P{m})", "P{m}"), id="filled-with-itself"),
        pytest.param(
            _doubled('P0 = "Summarize {x}"', 'P{n} = f"{{P{m}}} {{P{m}}}"', "P{m}"), id="formatted-of-itself"
        ),
        pytest.param(_doubled("P0 = []", "P{n} = [P{m}, P{m}]", "P{m}"), id="list-of-itself"),
        pytest.param(
            _doubled("def f0(x): return x", "def f{n}(x): return f{m}(f{m}(x))", "f{m}(x)"), id="calls-of-calls"
        ),
        pytest.param(
            _doubled("class A0: pass", "class B{n}(A{m}): pass\nclass A{n}(A{m}, B{n}): pass", "A{m}().x"),
            id="diamonds",
        ),
    ],
)
def test_a_strange_file_does_not_stop_the_others(tmp_path: Path, data: bytes) -> None:
    """It is analysed or reported; which of both is the parser's business."""
    (tmp_path / "odd.py").write_bytes(data)
    (tmp_path / "zgood.py").write_text(DRIFT)
    found = _found(_lint(tmp_path))
    assert found.pop("zgood.py") == [("CTX001", 4)]
    assert all(code == "CTX901" for findings in found.values() for code, _ in findings)


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(lambda path: path.symlink_to("odd.py"), id="link-loop"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="endless-device"),
    ],
)
def test_what_is_no_file_is_reported_and_never_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """The run ends, with a CTX901 for the thing and the findings of the files."""
    make(tmp_path / "odd.py")
    (tmp_path / "good.py").write_text(DRIFT)
    assert _found(_lint(tmp_path)) == {"odd.py": [("CTX901", 1)], "good.py": [("CTX001", 4)]}


def test_a_file_that_is_too_large_is_reported(tmp_path: Path) -> None:
    """The reason names the limit."""
    (tmp_path / "big.py").write_text("x = 1\n" * 1000)
    [finding] = _lint(tmp_path, Options(jobs=1, cache=False, file_bytes=3000)).findings
    assert finding.message == "not analysed: it is larger than 0.003 MB"


def test_a_file_that_takes_too_long_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One slow file costs its time limit, not the run."""

    def slow(*_args: object, **_kwargs: object) -> None:
        while True:
            pass

    (tmp_path / "slow.py").write_text("x = 1\n")
    monkeypatch.setattr("ctxlint.load.lowering.lower_module", slow)
    [finding] = _lint(tmp_path, Options(jobs=1, cache=False, file_seconds=0.2)).findings
    assert finding.message == "not analysed: it took longer than 0.2 seconds"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        pytest.param(KeyError("secret"), "ctxlint failed on it (KeyError): please report this", id="fault-of-ours"),
        pytest.param(RecursionError(), "it nests too deeply to be analysed", id="recursion"),
        pytest.param(MemoryError(), "it needs more memory to be analysed than there is", id="memory"),
    ],
)
def test_a_file_that_breaks_the_lowering_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    """A fault in ctxlint loses one file, and the report says whose fault it is."""

    def broken(*_args: object, **_kwargs: object) -> None:
        raise error

    (tmp_path / "a.py").write_text("x = 1\n")
    monkeypatch.setattr("ctxlint.load.lowering.lower_module", broken)
    [finding] = _lint(tmp_path).findings
    assert finding.message == f"not analysed: {reason}"


def test_a_file_that_changes_during_the_run_is_shown_as_far_as_it_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding stands; its lines may be gone by the time it is printed."""
    from ctxlint.check import search
    from ctxlint.report import Format, render
    from ctxlint.report.paint import Paint

    (tmp_path / "a.py").write_text(DRIFT)
    solved = search.solve

    def cut(*args: object, **kwargs: object) -> object:
        (tmp_path / "a.py").write_text("x = 1\n")
        return solved(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "solve", cut)
    outcome = _lint(tmp_path)
    assert _found(outcome) == {"a.py": [("CTX001", 4)]}
    for form in Format:
        assert "CTX001" in render(outcome, form, paint=Paint(colour=False), prefix="", width=100)


def test_newer_syntax_is_read_by_libcst(tmp_path: Path) -> None:
    """In a process of its own, also in a run that needs no other."""
    newer = DRIFT.replace("memo + page", 'f"{memo} {"\\n".join(page["lines"])}"')
    (tmp_path / "a.py").write_text(newer + "lazy import json\n")
    assert _found(_lint(tmp_path)) == {"a.py": [("CTX001", 4)]}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'x = f"{a["b"]}" (\n', id="a-fault"),
        pytest.param(b'y = f"{a["b"]}"\nx = f' + b"()" * 3000 + b" (\n", id="chain-that-libcst-takes-long-for"),
        pytest.param(b'y = f"{a["b"]}"\nx = ' + b"-" * 3000 + b"1 (\n", id="signs"),
    ],
)
def test_what_libcst_does_not_read_keeps_the_reason_of_python(tmp_path: Path, data: bytes) -> None:
    """It may crash or take too long: that costs a process and its time."""
    (tmp_path / "bad.py").write_bytes(data)
    (tmp_path / "good.py").write_text(DRIFT)
    outcome = _lint(tmp_path, Options(jobs=1, cache=False, file_seconds=3))
    assert _found(outcome) == {"bad.py": [("CTX901", 1)], "good.py": [("CTX001", 4)]}


def test_a_file_that_vanishes_during_the_run_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between listing and reading anything can happen."""
    from ctxlint.check import pipeline

    (tmp_path / "a.py").write_text("x = 1\n")
    listed = pipeline.discover

    def vanish(*args: object, **kwargs: object) -> object:
        found = listed(*args, **kwargs)  # type: ignore[arg-type]
        (tmp_path / "a.py").unlink()
        return found

    monkeypatch.setattr(pipeline, "discover", vanish)
    [finding] = _lint(tmp_path).findings
    assert finding.message == "not analysed: it vanished during the run"


def test_a_file_that_becomes_a_pipe_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening it does not wait for a writer."""
    from ctxlint.check import pipeline

    (tmp_path / "a.py").write_text("x = 1\n")
    listed = pipeline.discover

    def swap(*args: object, **kwargs: object) -> object:
        found = listed(*args, **kwargs)  # type: ignore[arg-type]
        (tmp_path / "a.py").unlink()
        os.mkfifo(tmp_path / "a.py")
        return found

    monkeypatch.setattr(pipeline, "discover", swap)
    [finding] = _lint(tmp_path).findings
    assert finding.message == "not analysed: it is no longer a file"


def test_a_file_without_permission_is_reported() -> None:
    """An unprivileged user learns which file was closed to them."""
    with open_folder() as folder:
        (folder / "good.py").write_text(DRIFT)
        (folder / "closed.py").write_text(DRIFT)
        (folder / "closed.py").chmod(0o000)
        told = output_unprivileged(
            WARM_IMPORTS,
            f"outcome = run([Path({str(folder)!r})], Config(), options=Options(jobs=1, cache=False))\n"
            "print([(f.place.path, f.code) for f in outcome.findings], outcome.findings[0].message)",
        )
    assert told == "[('closed.py', 'CTX901'), ('good.py', 'CTX001')] not analysed: Permission denied"
