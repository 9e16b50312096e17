"""What makes a finding the same finding after the code around it has moved."""

from __future__ import annotations

import hashlib
from collections import Counter

from ctxlint.finding import Finding
from ctxlint.report.source import SourceLines


class Fingerprints:
    """Fingerprints of the findings of one outcome, asked for in report order.

    Made of the rule, the file, the function, the carrier and the call's first line without its blanks; a number tells
    apart what is otherwise equal. Lines above the finding do not count, so it keeps its fingerprint when they change.
    """

    def __init__(self, source: SourceLines) -> None:
        self._source = source
        self._seen: Counter[str] = Counter()

    def of(self, finding: Finding) -> str:
        """The fingerprint of the next finding."""
        code = "".join(self._source.line(finding.place.path, finding.place.line).split())
        parts = (finding.code, finding.place.path, finding.function, finding.carrier, code)
        digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        self._seen[digest] += 1
        return f"{digest}:{self._seen[digest]}"
