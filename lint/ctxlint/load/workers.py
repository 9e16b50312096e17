"""Several workers at once. A worker that dies or does not answer in time loses its file, and is replaced."""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ctxlint.errors import InternalError, NewerSyntaxError, UnreadableError
from ctxlint.load.worker import REPLY, TASK, ReplyKind

# -P and an explicit path: the current folder may hold the linted code, and a worker must never import from there.
_BOOT = "import sys; sys.path.append(sys.argv[1]); from ctxlint.load.worker import main; main()"
_START_SECONDS = 30.0
_GRACE_SECONDS = 2.0
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Task:
    """A file to lower: its path as reports print it, its bytes, and whether libcst may read it."""

    path: str
    source: bytes
    newest: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a task: a cache entry, or the reason why there is none."""

    task: Task
    entry: bytes
    trouble: UnreadableError | None = None


def answers(tasks: Iterator[Task], *, jobs: int, seconds: float) -> Iterator[Answer]:
    """Lower `tasks` in `jobs` processes; answers come as they are ready, one for each task that was taken.

    Args:
        tasks: taken one by one, as workers become free.
        jobs: how many processes, at least 1.
        seconds: how long one file may take.

    Raises:
        InternalError: when no worker can be started. No task has been taken then.
    """
    pool = _Pool(seconds)
    try:
        for _ in range(jobs):
            pool.add()
        pool.wait_until_ready()
        yield from pool.answers(tasks)
    finally:
        pool.close()


class _Worker:
    """One process and the task that it holds."""

    def __init__(self) -> None:
        package_root = Path(__file__).parents[2]
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
            [sys.executable, "-P", "-c", _BOOT, str(package_root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.task: Task | None = None
        self.ready = False
        self.deadline = time.monotonic() + _START_SECONDS
        self.received = bytearray()
        self.died = False

    def give_up(self) -> None:
        """Its pipe is closed: whatever it holds is lost, and there is nothing to wait for."""
        self.died = True
        self.deadline = 0.0

    def fileno(self) -> int:
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def give(self, task: Task, seconds: float) -> None:
        """Hand over a task. A worker that is already dead is noticed when its answer does not come."""
        assert self.process.stdin is not None
        self.task = task
        self.deadline = time.monotonic() + seconds + _GRACE_SECONDS
        path = task.path.encode("utf-8", "surrogatepass")
        try:
            self.process.stdin.write(TASK.pack(len(path), len(task.source), seconds, task.newest) + path)
            self.process.stdin.write(task.source)
            self.process.stdin.flush()
        except BrokenPipeError:
            self.give_up()

    def reply(self) -> tuple[ReplyKind, bytes] | None:
        """The next whole reply, or None when more must come first.

        Raises:
            EOFError: when the process has ended.
        """
        chunk = os.read(self.fileno(), _CHUNK)
        if not chunk:
            raise EOFError
        self.received += chunk
        if len(self.received) < REPLY.size:
            return None
        kind, length = REPLY.unpack_from(self.received)
        end = REPLY.size + length
        if len(self.received) < end:
            return None
        payload = bytes(self.received[REPLY.size : end])
        del self.received[:end]
        return ReplyKind(kind), payload

    def kill(self) -> None:
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # a half-written task has nowhere to go
                    pipe.close()
        self.process.wait()


class _Pool:
    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.workers: list[_Worker] = []
        self.selector = selectors.DefaultSelector()

    def add(self) -> None:
        try:
            worker = _Worker()
        except OSError as error:
            raise InternalError("no worker process could be started") from error
        self.workers.append(worker)
        self.selector.register(worker, selectors.EVENT_READ, worker)

    def remove(self, worker: _Worker) -> None:
        self.selector.unregister(worker)
        self.workers.remove(worker)
        worker.kill()

    def close(self) -> None:
        for worker in list(self.workers):
            self.remove(worker)
        self.selector.close()

    def wait_until_ready(self) -> None:
        """Wait for the first worker; the others join when they are ready."""
        while not any(worker.ready for worker in self.workers):
            for worker, reply in self.events():
                if reply is None:
                    self.remove(worker)
                else:
                    worker.ready = True
            if not self.workers:
                raise InternalError("the worker processes end before they begin")

    def events(self) -> Iterator[tuple[_Worker, tuple[ReplyKind, bytes] | None]]:
        """Wait for replies. A worker that died or is over its time comes with None."""
        heard: set[_Worker] = set()
        nearest = min((worker.deadline for worker in self.workers), default=0.0)
        for key, _ in self.selector.select(max(0.0, nearest - time.monotonic())):
            worker: _Worker = key.data
            try:
                reply = worker.reply()
            except (EOFError, OSError):
                worker.give_up()
                continue
            if reply is not None:
                heard.add(worker)
                yield worker, reply
        now = time.monotonic()
        for worker in list(self.workers):
            waiting = worker.task is not None or not worker.ready
            if waiting and worker.deadline <= now and worker not in heard:
                yield worker, None

    def answers(self, tasks: Iterator[Task]) -> Iterator[Answer]:
        for worker in self.workers:
            if worker.ready:
                self.feed(worker, tasks)
        while any(worker.task is not None for worker in self.workers):
            for worker, reply in list(self.events()):
                task = worker.task
                if reply is None:
                    self.remove(worker)
                    if task is not None:
                        self.add()
                        yield Answer(task, b"", _lost(died=worker.died, seconds=self.seconds))
                    continue
                worker.ready, worker.task, worker.deadline = True, None, float("inf")
                self.feed(worker, tasks)
                if task is not None:
                    yield _answer(task, reply)

    def feed(self, worker: _Worker, tasks: Iterator[Task]) -> None:
        task = next(tasks, None)
        if task is not None:
            worker.give(task, self.seconds)


def _answer(task: Task, reply: tuple[ReplyKind, bytes]) -> Answer:
    kind, payload = reply
    if kind is ReplyKind.ENTRY:
        return Answer(task, payload)
    line, _, reason = payload.decode().partition(" ")
    trouble = NewerSyntaxError if kind is ReplyKind.NEWER else UnreadableError
    return Answer(task, b"", trouble(reason, line=int(line)))


def _lost(*, died: bool, seconds: float) -> UnreadableError:
    if died:
        return UnreadableError("the process that analysed it crashed")
    return UnreadableError(f"it took longer than {seconds:g} seconds")
