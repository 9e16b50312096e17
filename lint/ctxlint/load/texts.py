"""The prompt files of a run, read when some code names one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ctxlint.discover import TextFile
from ctxlint.errors import UnreadableError
from ctxlint.load import lowering

# A prompt is shorter than this; what is longer is data.
TEXT_BYTES = 256_000


class TextFiles(Mapping[str, str]):
    """Path to text, for the prompt files of a run. A file that cannot be read as UTF-8, or is too long, is empty."""

    def __init__(self, files: Sequence[TextFile]) -> None:
        self._files = {file.path: file.location for file in files}
        self._read: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        location = self._files[path]
        if path not in self._read:
            try:
                self._read[path] = lowering.read(location, limit=TEXT_BYTES).decode("utf-8")
            except (UnreadableError, UnicodeDecodeError):
                self._read[path] = ""
        return self._read[path]

    @property
    def read(self) -> list[str]:
        """The paths of the files that were read."""
        return sorted(self._read)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)
