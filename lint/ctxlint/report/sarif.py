"""Findings as SARIF 2.1.0 (OASIS standard with errata 01), for code hosts, editors and scorers.

Positions are converted once, here: SARIF counts columns from 1 and names the end exclusively. Paths are relative to
the linted folder, percent-encoded, and stand below the base `SRCROOT`, whose own address is left to the reader of
the file: a report must not tell where somebody's home folder is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from ctxlint.finding import Confidence, Finding, Place, Severity, Step
from ctxlint.outcome import Outcome
from ctxlint.report.fingerprint import Fingerprints
from ctxlint.report.source import SourceLines
from ctxlint.rules import RULES
from ctxlint.unreadable import UNREADABLE_CODE, UNREADABLE_DOCS, UNREADABLE_SLUG, UNREADABLE_SUMMARY
from ctxlint.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "SRCROOT"
_RANKS = {Confidence.HIGH: 90.0, Confidence.MEDIUM: 60.0, Confidence.LOW: 30.0}
"""How sure we are, as SARIF's viewers sort by it."""
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def sarif(outcome: Outcome) -> str:
    """The outcome as one SARIF log with one run, ending with a newline."""
    return json.dumps(log(outcome), indent=1, ensure_ascii=False) + "\n"


def log(outcome: Outcome) -> Mapping[str, object]:
    """The SARIF log as plain data."""
    fingerprints = Fingerprints(SourceLines(outcome.texts))
    taken = [(s.finding, s.reason) for s in outcome.suppressed]
    everything = sorted([*((f, None) for f in outcome.findings), *taken], key=lambda pair: pair[0].order)
    rules = _rules([finding for finding, _ in everything])
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    results = [_result(f, reason, index[f.code], fingerprints) for f, reason in everything]
    run = {
        "tool": {
            "driver": {
                "name": "ctxlint",
                "semanticVersion": __version__,
                "rules": rules,
                "notifications": [_unreadable_descriptor()],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [_notification(f) for f, _ in everything if f.code == UNREADABLE_CODE],
            }
        ],
        "originalUriBaseIds": {BASE: {"description": {"text": "The linted folder."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rules(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Every rule that is on by default, and any further one among the findings."""
    found = {finding.code for finding in findings}
    rules = {
        code: _rule(code, info.slug, info.summary, info.docs, info.severity)
        for code, info in RULES.items()
        if info.default or code in found
    }
    rules[UNREADABLE_CODE] = _rule(
        UNREADABLE_CODE, UNREADABLE_SLUG, UNREADABLE_SUMMARY, UNREADABLE_DOCS, Severity.WARNING
    )
    for finding in findings:
        if finding.code not in rules:
            rules[finding.code] = {"id": finding.code, "name": finding.slug}
    return [rules[code] for code in sorted(rules)]


def _rule(code: str, slug: str, summary: str, docs: str, severity: Severity) -> dict[str, object]:
    return {
        "id": code,
        "name": slug,
        "shortDescription": {"text": summary},
        "help": {"text": docs, "markdown": docs},
        "defaultConfiguration": {"level": _LEVELS[severity]},
    }


def _result(finding: Finding, reason: str | None, index: int, fingerprints: Fingerprints) -> dict[str, object]:
    advice = f". {finding.advice}" if finding.advice else ""
    result: dict[str, object] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": _literal(finding.message + advice)},
        "locations": [_location(finding.place, function=finding.function)],
        "partialFingerprints": {"ctxlint/v1": fingerprints.of(finding)},
        "rank": _RANKS[finding.confidence],
        "properties": {"confidence": finding.confidence.value, "carrier": finding.carrier},
    }
    if finding.flows:
        result["codeFlows"] = [_flow(flow) for flow in finding.flows]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(related.place, note=related.note)}
            for number, related in enumerate(finding.related)
        ]
    if reason is not None:
        result["suppressions"] = [{"kind": "inSource", "justification": reason}]
    return result


def _flow(flow: Sequence[Step]) -> dict[str, object]:
    steps = [
        {"location": _location(step.place, note=step.note), "kinds": [step.role.value], "executionOrder": order}
        for order, step in enumerate(flow, start=1)
    ]
    return {"threadFlows": [{"locations": steps}]}


def _location(place: Place, *, note: str = "", function: str = "") -> dict[str, object]:
    location: dict[str, object] = {
        "physicalLocation": {
            "artifactLocation": {"uri": uri(place.path), "uriBaseId": BASE},
            "region": {
                "startLine": place.line,
                "startColumn": place.column + 1,
                "endLine": place.end_line,
                "endColumn": place.end_column + 1,
            },
        }
    }
    if note:
        location["message"] = {"text": _literal(note)}
    if function:
        location["logicalLocations"] = [{"fullyQualifiedName": function, "kind": "function"}]
    return location


def uri(path: str) -> str:
    """A relative path as a URI reference; bytes that are no UTF-8 keep their value.

    A first segment with a colon would read as a scheme (RFC 3986, section 4.2); `quote` encodes it.
    """
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _literal(text: str) -> str:
    """Plain text as a SARIF message, where `{0}` is a placeholder and `[text](1)` a link (section 3.11)."""
    plain = text.replace("](", "] (").replace("{", "{{").replace("}", "}}")
    return plain.encode("utf-8", "replace").decode("utf-8")


def _unreadable_descriptor() -> dict[str, object]:
    return {"id": UNREADABLE_CODE, "name": UNREADABLE_SLUG}


def _notification(finding: Finding) -> dict[str, object]:
    return {
        "descriptor": {"id": UNREADABLE_CODE, "index": 0},
        "level": "warning",
        "message": {"text": _literal(finding.message)},
        "locations": [_location(finding.place)],
    }
