"""The few lines that make each type checker see what the library says in its types.

    print(CONFIGS["pyrefly"].pyproject)

Without a configuration pyrefly reports almost none of it, ty and basedpyright only warn of a refused door, and mypy
does not load the plugin. The table in `docs/typing.md` was measured with these very lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class TypingConfig:
    """How one checker is set up.

    Attributes:
        checker: its name, as `ctxcontracts typing-config` takes it.
        pyproject: the lines for `pyproject.toml`.
        command: the call that checks a project, for CI.
    """

    checker: str
    pyproject: str
    command: str

    @property
    def pre_commit(self) -> str:
        """The hook for `.pre-commit-config.yaml`: local, so that the checker sees the project's own environment."""
        return (
            "- repo: local\n"
            "  hooks:\n"
            f"    - id: {self.checker}\n"
            f"      name: {self.checker}\n"
            f"      entry: {self.command}\n"
            "      language: system\n"
            "      types: [python]\n"
            "      pass_filenames: false\n"
        )

    @property
    def ci(self) -> str:
        """A step of a GitHub workflow."""
        return f"- run: pip install ctxcontracts {self.checker}\n- run: {self.command}\n"

    def told(self) -> str:
        """All three, as the command line prints them: TOML first, the others as comments behind it."""
        behind = f"# .pre-commit-config.yaml\n{self.pre_commit}\n# CI\n{self.ci}"
        commented = "".join(
            f"# {line}\n" if not line.startswith("#") else f"{line}\n" for line in behind.splitlines()
        )
        return f"{self.pyproject}\n{commented}"


_ALL = (
    TypingConfig(
        "mypy",
        '[tool.mypy]\nstrict = true\nplugins = ["ctxcontracts.mypy_plugin"]\nenable_error_code = ["deprecated"]\n',
        "mypy .",
    ),
    TypingConfig("pyright", '[tool.pyright]\ntypeCheckingMode = "strict"\n', "pyright"),
    TypingConfig(
        "basedpyright",
        '[tool.basedpyright]\ntypeCheckingMode = "strict"\nreportDeprecated = "error"\n',
        "basedpyright",
    ),
    TypingConfig("pyrefly", '[tool.pyrefly]\npreset = "default"\n', "pyrefly check"),
    TypingConfig("ty", '[tool.ty.rules]\ndeprecated = "error"\n', "ty check"),
    TypingConfig("zuban", "[tool.zuban]\nstrict = true\n", "zuban check"),
)

CONFIGS: Final[Mapping[str, TypingConfig]] = MappingProxyType({config.checker: config for config in _ALL})
"""The configuration for each checker, by its name."""
