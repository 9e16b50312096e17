"""What a run is asked to do: `[tool.ctxlint]` of the nearest `pyproject.toml`, overlaid by the command line.

[tool.ctxlint]
select  = ["CTX001", "summary-hierarchy"]    # codes or slugs; all rules when left out
exclude = ["tests/fixtures/"]                # gitignore syntax, relative to the linted folder
fail-on = "warning"                          # error (default), warning, never
min-confidence = "high"                      # low, medium (default), high: how sure a finding must be to be shown
models  = ["ctxlint-models.toml"]            # relative to the pyproject.toml
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, cast

from ctxlint.errors import UsageError
from ctxlint.finding import Confidence, Severity
from ctxlint.unreadable import UNREADABLE_CODE, UNREADABLE_SLUG


class FailOn(Enum):
    """From which severity on a finding makes the run fail."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this severity makes the run fail."""
        if self is FailOn.NEVER:
            return False
        failing = {Severity.ERROR} if self is FailOn.ERROR else {Severity.ERROR, Severity.WARNING}
        return severity in failing


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a run. `select` holds codes; None means all rules."""

    select: frozenset[str] | None = None
    exclude: tuple[str, ...] = ()
    fail_on: FailOn = FailOn.ERROR
    min_confidence: Confidence = Confidence.MEDIUM
    models: tuple[Path, ...] = ()


def find_config(root: Path) -> Config:
    """The settings for the linted folder: the first `[tool.ctxlint]` from it upward, up to the repository's top.

    Raises:
        UsageError: when that `pyproject.toml` cannot be read, or asks for something that does not exist.
    """
    for folder in (root, *root.parents):
        path = folder / "pyproject.toml"
        if path.is_file():
            table = _table(path)
            if table is not None:
                return _config(table, path)
        if (folder / ".git").exists():
            break
    return Config()


def selected(names: str, *, origin: str) -> frozenset[str]:
    """The codes that a comma-separated list of codes and slugs names.

    Raises:
        UsageError: when one of them is no rule; `origin` says where it stood.
    """
    from ctxlint.rules import RULES  # noqa: PLC0415 - the rules load the engine

    slugs = {rule.slug: code for code, rule in RULES.items()}
    codes: set[str] = set()
    wanted = [name for part in names.split(",") if (name := part.strip())]
    for name in wanted:
        if name.upper() == UNREADABLE_CODE or name == UNREADABLE_SLUG:
            continue  # always on, so asking for it is no mistake
        code = name.upper() if name.upper() in RULES else slugs.get(name)
        if code is None:
            raise UsageError(f"{origin} names {name!r}, which is no rule; the rules are {', '.join(sorted(RULES))}")
        codes.add(code)
    if not wanted:
        raise UsageError(f"{origin} names no rule; give codes or slugs, separated by commas")
    return frozenset(codes)


def _table(path: Path) -> Mapping[str, object] | None:
    import tomllib  # noqa: PLC0415 - only a run with a pyproject.toml pays for it

    try:
        document: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read, so its [tool.ctxlint] is unknown: {error}") from error
    try:
        table: dict[str, Any] | None = document.get("tool", {}).get("ctxlint")
        return None if table is None else dict(table.items())
    except AttributeError as error:
        raise UsageError(f"{path}: tool.ctxlint must be a table; write [tool.ctxlint] and its keys below") from error


def _config(table: Mapping[str, object], path: Path) -> Config:
    config = Config()
    for key, value in table.items():
        reader = _READERS.get(key)
        if reader is None:
            raise UsageError(
                f"{path}: [tool.ctxlint] has the unknown key {key!r}; the keys are {', '.join(sorted(_READERS))}"
            )
        config = reader(config, value, path)
    return config


def _strings(value: object, key: str, path: Path) -> tuple[str, ...]:
    if isinstance(value, list):
        items = tuple(item for item in cast("list[object]", value) if isinstance(item, str))
        if len(items) == len(cast("list[object]", value)):
            return items
    raise UsageError(f"{path}: tool.ctxlint.{key} must be a list of strings")


def _select(config: Config, value: object, path: Path) -> Config:
    names = ",".join(_strings(value, "select", path))
    return replace(config, select=selected(names, origin=f"{path}: tool.ctxlint.select"))


def _exclude(config: Config, value: object, path: Path) -> Config:
    return replace(config, exclude=_strings(value, "exclude", path))


def _fail_on(config: Config, value: object, path: Path) -> Config:
    levels = [level.value for level in FailOn]
    if value not in levels:
        raise UsageError(f"{path}: tool.ctxlint.fail-on must be one of {', '.join(levels)}")
    return replace(config, fail_on=FailOn(value))


def _min_confidence(config: Config, value: object, path: Path) -> Config:
    levels = [level.value for level in reversed(Confidence)]
    if value not in levels:
        raise UsageError(f"{path}: tool.ctxlint.min-confidence must be one of {', '.join(levels)}")
    return replace(config, min_confidence=Confidence(value))


def _models(config: Config, value: object, path: Path) -> Config:
    return replace(config, models=tuple(path.parent / name for name in _strings(value, "models", path)))


_READERS: Mapping[str, Callable[[Config, object, Path], Config]] = {
    "exclude": _exclude,
    "fail-on": _fail_on,
    "min-confidence": _min_confidence,
    "models": _models,
    "select": _select,
}
