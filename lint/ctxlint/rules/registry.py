"""The table of rules, made from the rule modules: a new rule is a module and a line here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Final

from ctxlint.errors import UsageError
from ctxlint.finding import Finding, Left, Severity
from ctxlint.rules import (
    broken_seal,
    discarded_originals,
    early_removal,
    extends_summary_prompt,
    failed_summary_committed,
    laundered_text,
    resummarized_summary,
    summary_hierarchy,
    unmarked_summary,
    unused_suppression,
)
from ctxlint.taint import Solution


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A rule as users see it. `docs` is Markdown under the fixed headings.

    One that is not on by `default` runs where it is selected.
    """

    code: str
    slug: str
    severity: Severity
    summary: str
    docs: str
    find: Callable[[Solution], Iterator[Finding]]
    default: bool = True


def _info(module: ModuleType) -> RuleInfo:
    docs = (module.__doc__ or "").strip()
    return RuleInfo(
        code=module.CODE,
        slug=module.SLUG,
        severity=module.SEVERITY,
        summary=docs.partition("\n")[0],
        docs=docs.partition("\n")[2].strip(),
        find=module.find,
        default=getattr(module, "DEFAULT", True),
    )


_MODULES: Final = (
    resummarized_summary,
    summary_hierarchy,
    unmarked_summary,
    discarded_originals,
    extends_summary_prompt,
    failed_summary_committed,
    early_removal,
    laundered_text,
    broken_seal,
    unused_suppression,
)
RULES: Final[Mapping[str, RuleInfo]] = {info.code: info for info in map(_info, _MODULES)}


def all_rules() -> tuple[RuleInfo, ...]:
    """Every rule, by code."""
    return tuple(RULES[code] for code in sorted(RULES))


def chosen(select: Collection[str] | None = None) -> frozenset[str]:
    """The codes of the rules that run: the selected ones, or those that are on by default."""
    return frozenset(select if select is not None else (rule.code for rule in RULES.values() if rule.default))


def unused_suppressions(left: Iterable[Left], select: Collection[str] | None = None) -> Iterator[Finding]:
    """A finding for each suppression that took nothing back, where that rule runs."""
    running = chosen(select)
    if unused_suppression.CODE in running:
        yield from unused_suppression.unused(left, running, {rule.slug: code for code, rule in RULES.items()})


def check(solution: Solution, select: Collection[str] | None = None) -> list[Finding]:
    """The findings of the selected rules (None: of those that are on by default), sorted by `Finding.order`.

    Raises:
        UsageError: When `select` names a code that no rule has.
    """
    unknown = sorted(code for code in select or () if code not in RULES)
    if unknown:
        raise UsageError(f"there is no rule {', '.join(unknown)}; the rules are {', '.join(sorted(RULES))}")
    running = chosen(select)
    found = [
        replace(finding, severity=rule.severity)
        for rule in all_rules()
        if rule.code in running
        for finding in rule.find(solution)
    ]
    return sorted(found, key=lambda finding: finding.order)
