"""Writes `docs/typing.md` from a run of all checkers over the typing cases.

python -m tests.support.typing_page
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from ctxcontracts.typing_config import CONFIGS
from tests.support.guard_runs import refusal
from tests.support.lint_cases import reported
from tests.support.type_checkers import CASES, CHECKERS
from tests.support.verdicts import marks, must_fail, must_pass, verdicts

PAGE = Path(__file__).resolve().parents[2] / "docs" / "typing.md"
COMMONEST = (
    ("r1_rewrite_derived", "A derived span is rewritten"),
    ("r1_rewrite_loop", "Every span of the window is rewritten"),
    ("r2_observe_text", "A summary is observed"),
    ("r2_door_expose", "A summary goes through a door"),
    ("r3_plain_callable", "A function without `@summarizer` rewrites"),
    ("r2_forge_text", "Observed text is made by hand"),
)
QUOTED = ("mypy-strict", "mypy-plugin", "pyright-strict", "pyrefly", "ty")
_TITLES = {checker.name: checker.title for checker in CHECKERS}
_SHORT = {
    "mypy": "mypy",
    "mypy-strict": "mypy strict",
    "mypy-plugin": "mypy plugin",
    "pyright": "pyright",
    "pyright-strict": "pyright strict",
    "basedpyright": "basedpyright",
    "pyrefly": "pyrefly",
    "ty": "ty",
    "zuban": "zuban",
}


def page() -> str:
    """The whole page: the prose of `typing_page.md`, with what the run said in it."""
    text = Path(__file__).with_suffix(".md").read_text(encoding="utf-8")
    measured = {
        "configurations": _configurations(),
        "messages": _messages(),
        "counts": _counts(),
        "cases": _by_case(),
        "single": _single_owners(),
    }
    for name, parts in measured.items():
        text = text.replace("{{" + name + "}}", "\n\n".join(parts))
    return text


def _configurations() -> Iterator[str]:
    for config in CONFIGS.values():
        yield f"### {config.checker}\n\n```toml\n{config.pyproject}```"
        yield f"```yaml\n# .pre-commit-config.yaml\n{config.pre_commit}\n# CI\n{config.ci}```"


def _messages() -> Iterator[str]:
    said = verdicts()
    for case, title in COMMONEST:
        text = (CASES / f"{case}.py").read_text(encoding="utf-8")
        (line, *_) = marks(case)
        code = text.splitlines()[line - 1].partition("  # E")[0]
        yield f"### {title}\n\n```text\n{code.strip()}\n```"
        printed = "\n".join(f"{_TITLES[name] + ':':22}{_unbroken(said[name].errors[case][line])}" for name in QUOTED)
        yield f"```text\n{printed}\n```"


def _unbroken(message: str) -> str:
    """The message with its further lines indented below the first."""
    return message.strip().replace("\n", "\n" + " " * 22).replace("\xa0", " ")


def _counts() -> Iterator[str]:
    said, first = verdicts(), [case for case in must_fail() if case[:2] in {"r1", "r2", "r3", "r4"}]
    rows = [
        f"| {checker.title} | {version(checker.name.partition('-')[0])} "
        f"| {sum(map(said[checker.name].caught, first))} of {len(first)} "
        f"| {sum(map(said[checker.name].caught, must_fail()))} of {len(must_fail())} "
        f"| {sum(case not in said[checker.name].errors for case in must_pass())} of {len(must_pass())} |"
        for checker in CHECKERS
    ]
    head = (
        "| checker | version | first design | all that must fail | clean of what must pass |\n|---|---|---|---|---|"
    )
    yield f"{head}\n" + "\n".join(rows)


def _by_case() -> Iterator[str]:
    said = verdicts()
    titles = " | ".join(_SHORT[checker.name] for checker in CHECKERS)
    head = f"| case | shows | {titles} | run | ctxlint |\n|---|---|{'---|' * (len(CHECKERS) + 2)}"
    rows = []
    for case in must_fail():
        marked = " | ".join("x" if said[checker.name].caught(case) else "" for checker in CHECKERS)
        found = "x" if reported(case) else ""
        rows.append(f"| {case} | {_shown(case)} | {marked} | {_by_run(case)} | {found} |")
    yield f"{head}\n" + "\n".join(rows)


def _by_run(case: str) -> str:
    return refusal(case).removesuffix("Error")


def _shown(case: str) -> str:
    first = (CASES / f"{case}.py").read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
    return f"`{first}`" if any(sign in first for sign in "()[]") else first


def owners(case: str) -> list[str]:
    """Who catches a case: some type checker without our plugin, the plugin, the guard (or Python itself), ctxlint."""
    said = verdicts()
    caught = {checker.name for checker in CHECKERS if said[checker.name].caught(case)}
    by = ["the types"] if caught - {"mypy-plugin"} else []
    by += ["the plugin"] if "mypy-plugin" in caught and not by else []
    by += ["the run"] if refusal(case) else []
    return by + (["ctxlint"] if reported(case) else [])


def _single_owners() -> Iterator[str]:
    single = {case: by[0] for case in must_fail() if len(by := owners(case)) == 1}
    lines = [
        f"- {owner}: {', '.join(f'`{case}`' for case, by in single.items() if by == owner)}"
        for owner in ("the types", "the plugin", "the run", "ctxlint")
        if owner in single.values()
    ]
    yield "\n".join(lines)


def main() -> int:
    missing = [said.missing for said in verdicts().values() if said.missing]
    if missing:
        print("\n".join(missing))
        return 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
