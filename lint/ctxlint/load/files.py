"""All files of a run from disk to IR: cached ones first, the others here or in workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ctxlint.discover import SourceFile
from ctxlint.errors import InternalError, UnreadableError
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

    `speaks` when some file holds a word about summaries.
    """

    modules: dict[str, ModuleIR] = field(default_factory=dict[str, ModuleIR])
    unreadable: list[Finding] = field(default_factory=list[Finding])
    lines: int = 0
    cached: int = 0
    speaks: bool = False

    def fail(self, path: str, error: UnreadableError) -> None:
        """Keep the reason why a file has no module."""
        self.unreadable.append(unreadable(path, error.reason, line=error.line))

    def note(self, source: bytes) -> None:
        """Keep what is asked of the text of a file."""
        self.lines += source.count(b"\n")
        self.speaks = self.speaks or speaks(source)

    def sorted_modules(self) -> list[ModuleIR]:
        """The modules by path, whoever was first ready."""
        return [self.modules[path] for path in sorted(self.modules)]


def load(files: Sequence[SourceFile], *, cache: IrCache, options: Options) -> Loading:
    """The IR of `files`. Each file that has none is a CTX901 in the result; nothing is raised for a file."""
    loading = Loading()
    missing = [file for file in files if not _from_cache(file, loading, cache, options)] if cache.keeps else files
    if options.jobs > 1 and sum(file.size for file in missing) >= options.parallel_from:
        try:
            _in_workers(missing, loading, cache, options)
        except InternalError:
            pass  # no worker starts on this machine: then one process does it all
        else:
            return loading
    for file in missing:
        _here(file, loading, cache, options)
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
    loading.note(source)
    return True


def _here(file: SourceFile, loading: Loading, cache: IrCache, options: Options) -> None:
    source = _read(file, loading, options)
    if source is None:
        return
    loading.note(source)
    try:
        with time_limit(options.file_seconds):
            module = lowered(source, file.path)
    except UnreadableError as error:
        loading.fail(file.path, error)
        return
    loading.modules[file.path] = module
    if cache.keeps:
        cache.store(key_of(source, file.path), dump(module))


def _in_workers(files: Sequence[SourceFile], loading: Loading, cache: IrCache, options: Options) -> None:
    # The largest first: a large file that starts last would keep one worker busy after the others are done.
    ordered = sorted(files, key=lambda file: (-file.size, file.path))

    def tasks() -> Iterator[Task]:
        for file in ordered:
            source = _read(file, loading, options)
            if source is not None:
                yield Task(file.path, source)

    jobs = min(options.jobs, len(files))
    by_path = {file.path: file for file in files}
    for answer in answers(tasks(), jobs=jobs, seconds=options.file_seconds):
        path = answer.task.path
        module = restore(answer.entry)
        if answer.trouble is not None:
            loading.note(answer.task.source)
            loading.fail(path, answer.trouble)
        elif module is not None:
            loading.note(answer.task.source)
            loading.modules[path] = module
            cache.store(key_of(answer.task.source, path), answer.entry)
        else:
            _here(
                by_path[path], loading, cache, options
            )  # its IR does not travel; the findings must not depend on that
