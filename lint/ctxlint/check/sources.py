"""The sources that a report shows."""

from __future__ import annotations

from collections.abc import Iterable

from ctxlint.discover import Discovery
from ctxlint.errors import UnreadableError
from ctxlint.finding import Finding
from ctxlint.load import Options
from ctxlint.load.lowering import read
from ctxlint.syntax.parse import decode


def texts_of(
    findings: Iterable[Finding], marked: Iterable[str], found: Discovery, options: Options
) -> dict[str, str]:
    """The source of every file that a finding points into or that is `marked`, where it can still be read."""
    wanted: set[str] = {*marked}
    for finding in findings:
        wanted.add(finding.place.path)
        wanted.update(step.place.path for flow in finding.flows for step in flow)
        wanted.update(related.place.path for related in finding.related)
    locations = {file.path: file.location for file in found.sources}
    texts: dict[str, str] = {}
    for path in sorted(wanted & locations.keys()):
        try:
            texts[path] = decode(read(locations[path], limit=options.file_bytes))
        except UnreadableError:
            continue
    return texts
