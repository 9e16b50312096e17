"""What a run hands to a reporter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ctxlint.finding import Finding
from ctxlint.suppress import Suppressed


@dataclass(frozen=True, slots=True)
class Measures:
    """The sizes and times of a run; `seconds` is by stage, in the order of the stages."""

    files: int = 0
    lines: int = 0
    cached: int = 0
    sites: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run over `root`. Findings are sorted and do not depend on jobs, cache or file order.

    `texts` holds the source of every file that a finding points into, as it was when it was analysed.
    `unsure` counts the findings that are left out because ctxlint is not sure enough of them.
    """

    root: Path
    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    measures: Measures = Measures()
    unsure: int = 0

    @property
    def by_code(self) -> Mapping[str, int]:
        """How many findings each code has, by code."""
        counts = Counter(finding.code for finding in self.findings)
        return {code: counts[code] for code in sorted(counts)}
