"""Workers: the same answers, sooner; and one that breaks loses one file."""

from __future__ import annotations

import ast
import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from ctxlint.check import Options, run
from ctxlint.config import Config
from ctxlint.errors import InternalError
from ctxlint.ir import ModuleIR
from ctxlint.load import files, lowering, workers
from ctxlint.load.cache import restore
from ctxlint.load.worker import REPLY, TASK, ReplyKind, serve
from ctxlint.load.workers import Answer, Task, answers

DRIFT = "def digest(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"
PARALLEL = Options(jobs=2, cache=False, parallel_from=0)
ALONE = Options(jobs=1, cache=False)

# A worker that does what a source file tells it to, in place of analysing it.
ODD_BOOT = """
import os, sys, time
sys.path.append(sys.argv[1])
from ctxlint.load import lowering, worker
real = lowering.lowered
def odd(data, path, **means):
    if b"CRASH" in data: os._exit(3)
    if b"KILL" in data: os.kill(os.getpid(), 9)
    if b"HANG" in data:
        import signal
        signal.setitimer(signal.ITIMER_REAL, 0)
        while True: time.sleep(60)
    if b"PRINT" in data: print("noise"); sys.stdout.flush()
    return real(data, path, **means)
lowering.lowered = odd
worker.main()
"""


@pytest.fixture
def odd_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that break on demand, and little patience with them."""
    monkeypatch.setattr(workers, "_BOOT", ODD_BOOT)
    monkeypatch.setattr(workers, "_GRACE_SECONDS", 0.2)


def _answers(*sources: str, jobs: int = 2, seconds: float = 10) -> dict[str, Answer]:
    tasks = (Task(f"{number}.py", source.encode()) for number, source in enumerate(sources))
    return {answer.task.path: answer for answer in answers(tasks, jobs=jobs, seconds=seconds)}


def test_every_task_is_answered_once() -> None:
    """Good files come back as IR, bad ones with their reason."""
    found = _answers("x = 1", "x = (", "y = 2", "", jobs=2)
    assert sorted(found) == ["0.py", "1.py", "2.py", "3.py"]
    assert [path for path, answer in sorted(found.items()) if answer.trouble] == ["1.py"]
    modules = [restore(answer.entry) for path, answer in sorted(found.items()) if not answer.trouble]
    assert [module.path for module in modules if module] == ["0.py", "2.py", "3.py"]


def test_one_job_and_two_find_the_same(tmp_path: Path) -> None:
    """The number of jobs changes nothing but the time."""
    for number in range(12):
        (tmp_path / f"m{number}.py").write_text(DRIFT)
    (tmp_path / "bad.py").write_text("x = (")
    assert run([tmp_path], Config(), options=PARALLEL).findings == run([tmp_path], Config(), options=ALONE).findings


@pytest.mark.usefixtures("odd_workers")
@pytest.mark.parametrize("how", ["CRASH", "KILL"])
def test_a_worker_that_dies_loses_its_file_only(how: str) -> None:
    """The others are answered, by a new worker where needed."""
    found = _answers("a = 1", f"# {how}", "b = 2", "c = 3", jobs=1)
    assert {path for path, answer in found.items() if answer.trouble} == {"1.py"}
    assert str(found["1.py"].trouble) == "the process that analysed it crashed"


@pytest.mark.usefixtures("odd_workers")
def test_a_worker_that_hangs_loses_its_file_only() -> None:
    """A file has its time; then the run goes on without it."""
    start = time.monotonic()
    found = _answers("a = 1", "# HANG", "b = 2", jobs=2, seconds=0.5)
    assert {path for path, answer in found.items() if answer.trouble} == {"1.py"}
    assert str(found["1.py"].trouble) == "it took longer than 0.5 seconds"
    assert time.monotonic() - start < 20


@pytest.mark.usefixtures("odd_workers")
def test_what_a_worker_prints_does_not_garble_its_answer() -> None:
    """Standard output of the process is not the channel of its answers."""
    assert not _answers("# PRINT", jobs=1)["0.py"].trouble


@pytest.mark.usefixtures("odd_workers")
def test_a_crash_is_a_finding_of_the_run(tmp_path: Path) -> None:
    """CTX901 for the file that crashed it, findings for the others."""
    (tmp_path / "bad.py").write_text("# CRASH")
    (tmp_path / "good.py").write_text(DRIFT)
    found = run([tmp_path], Config(), options=PARALLEL).findings
    assert [(f.place.path, f.code) for f in found] == [("bad.py", "CTX901"), ("good.py", "CTX001")]


def test_a_worker_answers_good_and_bad_files() -> None:
    """The same code, without a process around it."""
    replies = io.BytesIO()
    serve(
        io.BytesIO(
            TASK.pack(4, 5, 9.0, False) + b"a.py" + b"x = 1" + TASK.pack(4, 5, 9.0, False) + b"b.py" + b"x = ("
        ),
        replies,
    )
    told = replies.getvalue()
    assert told.startswith(REPLY.pack(ReplyKind.READY, 0))
    assert told.endswith(b"1 '(' was never closed")


def test_a_slow_file_is_stopped_inside_the_worker() -> None:
    """Python code is interrupted; the worker lives on."""
    replies = io.BytesIO()
    source = b"x = 1"
    tasks = io.BytesIO(TASK.pack(4, len(source), 1e-6, False) + b"a.py" + source)
    serve(tasks, replies)
    kinds = []
    data = replies.getvalue()
    while data:
        kind, length = REPLY.unpack_from(data)
        kinds.append(ReplyKind(kind))
        data = data[REPLY.size + length :]
    assert kinds == [ReplyKind.READY, ReplyKind.UNREADABLE]


@pytest.mark.parametrize("boot", ["raise SystemExit(1)", "import nothing_of_that_name"])
def test_workers_that_do_not_start_are_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, boot: str) -> None:
    """Where no process can be started, the run does all by itself."""
    monkeypatch.setattr(workers, "_BOOT", boot)
    with pytest.raises(InternalError):
        _answers("x = 1")
    (tmp_path / "good.py").write_text(DRIFT)
    assert len(run([tmp_path], Config(), options=PARALLEL).findings) == 1


def test_an_interpreter_that_is_gone_is_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Starting a process can fail as well."""
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(InternalError, match="no worker process"):
        _answers("x = 1")


@pytest.mark.parametrize("entry", [b"", b"rubbish"], ids=["none", "damaged"])
def test_an_answer_that_cannot_be_restored_is_made_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entry: bytes
) -> None:
    """The findings do not depend on whether a file's IR can travel."""

    def damaged(tasks: Iterator[Task], **_options: object) -> Iterator[Answer]:
        for task in tasks:
            yield Answer(task, entry)

    monkeypatch.setattr(files, "answers", damaged)
    (tmp_path / "a.py").write_text(DRIFT)
    assert [f.code for f in run([tmp_path], Config(), options=PARALLEL).findings] == ["CTX001"]


def test_no_worker_is_started_for_little_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small folder is done sooner than a process starts."""
    monkeypatch.setattr(subprocess, "Popen", None)
    (tmp_path / "good.py").write_text(DRIFT)
    assert len(run([tmp_path], Config(), options=Options(jobs=8, cache=False)).findings) == 1


def test_workers_import_nothing_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A linted folder that holds a `tokenize.py` of its own does not get it executed."""
    for name in ("tokenize", "ast", "struct", "ctxlint", "json"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    (tmp_path / "good.py").write_text(DRIFT)
    monkeypatch.chdir(tmp_path)
    assert len(run([tmp_path], Config(), options=PARALLEL).findings) == 1
    assert not (tmp_path / "executed").exists()


def test_no_worker_outlives_the_run() -> None:
    """The processes end when the answers are no longer wanted."""
    stream = answers((Task(f"{n}.py", b"x = 1") for n in range(50)), jobs=2, seconds=10)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@pytest.mark.parametrize("options", [pytest.param(ALONE, id="here"), pytest.param(PARALLEL, id="in-workers")])
def test_a_fault_of_ours_loses_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: Options) -> None:
    """Whatever the lowering raises, the other files keep their findings."""
    faulty = """
import sys
sys.path.append(sys.argv[1])
from ctxlint.load import lowering, worker
real = lowering.lower_module
def odd(tree, *, path, source):
    if "FAULT" in source: raise KeyError("secret")
    return real(tree, path=path, source=source)
lowering.lower_module = odd
worker.main()
"""
    real = lowering.lower_module

    def odd(tree: ast.Module, *, path: str, source: str) -> ModuleIR:
        if "FAULT" in source:
            raise KeyError("secret")
        return real(tree, path=path, source=source)

    monkeypatch.setattr(workers, "_BOOT", faulty)
    monkeypatch.setattr(lowering, "lower_module", odd)
    (tmp_path / "bad.py").write_text("FAULT = 1\n")
    (tmp_path / "good.py").write_text(DRIFT)
    found = {finding.place.path: finding for finding in run([tmp_path], Config(), options=options).findings}
    assert {path: finding.code for path, finding in found.items()} == {"bad.py": "CTX901", "good.py": "CTX001"}
    assert "KeyError" in found["bad.py"].message
    assert "secret" not in found["bad.py"].message
