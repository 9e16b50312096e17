"""All files of a run from disk to IR: cached ones first, the others here or in workers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ctxlint.discover import SourceFile
from ctxlint.errors import InternalError, NewerSyntaxError, UnreadableError
from ctxlint.finding import Finding
from ctxlint.ir import ModuleIR
from ctxlint.ir.vocabulary import speaks
from ctxlint.load.cache import IrCache, dump, key_of, restore
from ctxlint.load.lowering import lowered, read, time_limit
from ctxlint.load.options import Options
from ctxlint.load.workers import Task, answers
from ctxlint.unreadable import unreadable


@dataclass(slots=True)
class Loading:
    """The modules of a run so far, by path. `lines` and `cached` count for --statistics.

    `marked` are the files in which a suppression may stand. `speaks` when some file holds a word about summaries.
    `newer` are files that this Python refuses, and that libcst may read.
    """

    modules: dict[str, ModuleIR] = field(default_factory=dict[str, ModuleIR])
    unreadable: list[Finding] = field(default_factory=list[Finding])
    lines: int = 0
    cached: int = 0
    speaks: bool = False
    marked: set[str] = field(default_factory=set[str])
    newer: dict[str, tuple[bytes, NewerSyntaxError]] = field(
        default_factory=dict[str, tuple[bytes, NewerSyntaxError]]
    )

    def fail(self, path: str, error: UnreadableError) -> None:
        """Keep the reason why a file has no module."""
        self.unreadable.append(unreadable(path, error.reason, line=error.line))

    def note(self, path: str, source: bytes) -> None:
        """Keep what is asked of the text of a file."""
        if b"ctxlint:" in source:
            self.marked.add(path)
        self.lines += source.count(b"\n")
        self.speaks = self.speaks or speaks(source)

    def sorted_modules(self) -> list[ModuleIR]:
        """The modules by path, whoever was first ready."""
        return [self.modules[path] for path in sorted(self.modules)]


def load(files: Sequence[SourceFile], *, cache: IrCache, options: Options) -> Loading:
    """The IR of `files`. Each file that has none is a CTX901 in the result; nothing is raised for a file."""
    loading = Loading()
    missing = [file for file in files if not _from_cache(file, loading, cache, options)] if cache.keeps else files
    if options.jobs < 2 or sum(file.size for file in missing) < options.parallel_from:
        _one_by_one(missing, loading, cache, options)
    else:
        # The largest first: a large file that starts last would keep one worker busy after the others are done.
        ordered = sorted(missing, key=lambda file: (-file.size, file.path))
        try:
            _in_workers(_tasks(ordered, loading, options), len(files), loading, cache, options)
        except InternalError:
            _one_by_one(missing, loading, cache, options)  # no worker starts on this machine
    _newest(loading, cache, options)
    return loading


def _read(file: SourceFile, loading: Loading, options: Options) -> bytes | None:
    try:
        return read(file.location, limit=options.file_bytes)
    except UnreadableError as error:
        loading.fail(file.path, error)
        return None


def _from_cache(file: SourceFile, loading: Loading, cache: IrCache, options: Options) -> bool:
    """Whether `file` needs no more work: its IR is cached, or it cannot be read."""
    source = _read(file, loading, options)
    if source is None:
        return True
    module = cache.load(key_of(source, file.path))
    if module is None:
        return False
    loading.modules[file.path] = module
    loading.cached += 1
    loading.note(file.path, source)
    return True


def _one_by_one(files: Sequence[SourceFile], loading: Loading, cache: IrCache, options: Options) -> None:
    for task in _tasks(files, loading, options):
        _here(task, loading, cache, options)


def _tasks(files: Sequence[SourceFile], loading: Loading, options: Options) -> Iterator[Task]:
    for file in files:
        source = _read(file, loading, options)
        if source is not None:
            yield Task(file.path, source)


def _here(task: Task, loading: Loading, cache: IrCache, options: Options) -> None:
    loading.note(task.path, task.source)
    try:
        with time_limit(options.file_seconds):
            module = lowered(task.source, task.path)
    except UnreadableError as error:
        _trouble(task, error, loading)
        return
    loading.modules[task.path] = module
    if cache.keeps:
        cache.store(key_of(task.source, task.path), dump(module))


def _trouble(task: Task, error: UnreadableError, loading: Loading) -> None:
    if isinstance(error, NewerSyntaxError):
        loading.newer[task.path] = task.source, error
    else:
        loading.fail(task.path, error)


def _in_workers(tasks: Iterator[Task], jobs: int, loading: Loading, cache: IrCache, options: Options) -> None:
    """Lower files in as many processes as there are jobs, and not more than `jobs`."""
    for answer in answers(tasks, jobs=min(options.jobs, jobs), seconds=options.file_seconds):
        task = answer.task
        module = restore(answer.entry)
        if answer.trouble is not None:
            loading.note(task.path, task.source)
            _trouble(task, answer.trouble, loading)
        elif module is not None:
            loading.note(task.path, task.source)
            loading.modules[task.path] = module
            cache.store(key_of(task.source, task.path), answer.entry)
        else:
            # Its IR does not travel; the findings must not depend on that.
            _here(task, loading, cache, options)


def _newest(loading: Loading, cache: IrCache, options: Options) -> None:
    """Read what this Python refuses by libcst, in a process: a file that crashes it keeps the reason of Python."""
    if not loading.newer:
        return
    newer = {path: loading.newer[path] for path in sorted(loading.newer)}
    read_by_libcst = Loading()
    tasks = (Task(path, source, newest=True) for path, (source, _) in newer.items())
    with contextlib.suppress(InternalError):  # no worker starts on this machine
        _in_workers(tasks, len(newer), read_by_libcst, cache, options)
    loading.modules.update(read_by_libcst.modules)
    for path, (_, error) in newer.items():
        if path not in read_by_libcst.modules:
            loading.fail(path, error)
