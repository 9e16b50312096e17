"""The table of rules, made from the rule modules: a new rule is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Final

from ctxlint.errors import UsageError
from ctxlint.finding import Finding, Severity
from ctxlint.rules import laundered_text, resummarized_summary, summary_hierarchy
from ctxlint.taint import Solution


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as users see it. `docs` is Markdown under the fixed headings."""

    code: str
    slug: str
    severity: Severity
    summary: str
    docs: str
    find: Callable[[Solution], Iterator[Finding]]


def _info(module: ModuleType) -> RuleInfo:
    docs = (module.__doc__ or "").strip()
    return RuleInfo(
        code=module.CODE,
        slug=module.SLUG,
        severity=module.SEVERITY,
        summary=docs.partition("\n")[0],
        docs=docs.partition("\n")[2].strip(),
        find=module.find,
    )


_MODULES: Final = (resummarized_summary, summary_hierarchy, laundered_text)
RULES: Final[Mapping[str, RuleInfo]] = {info.code: info for info in map(_info, _MODULES)}


def all_rules() -> tuple[RuleInfo, ...]:
    """Every rule, by code."""
    return tuple(RULES[code] for code in sorted(RULES))


def check(solution: Solution, select: Collection[str] | None = None) -> list[Finding]:
    """The findings of the selected rules (None: of all), sorted by `Finding.order`.

    Raises:
        UsageError: When `select` names a code that no rule has.
    """
    unknown = sorted(code for code in select or () if code not in RULES)
    if unknown:
        raise UsageError(f"there is no rule {', '.join(unknown)}; the rules are {', '.join(sorted(RULES))}")
    found = [
        replace(finding, severity=rule.severity)
        for rule in all_rules()
        if select is None or rule.code in select
        for finding in rule.find(solution)
    ]
    return sorted(found, key=lambda finding: finding.order)
