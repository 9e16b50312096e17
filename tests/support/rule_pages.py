"""Writes `docs/rules/`: a page for each rule, from the documentation that the rule itself carries.

python -m tests.support.rule_pages
"""

from __future__ import annotations

from pathlib import Path

from ctxlint.rules import RULES
from ctxlint.unreadable import UNREADABLE_CODE, UNREADABLE_DOCS, UNREADABLE_SLUG, UNREADABLE_SUMMARY

PAGES = Path(__file__).resolve().parents[2] / "docs" / "rules"
HEADINGS = ["What it does", "Why is this bad?", "Example", "Use instead", "How it decides", "Known limits"]


def pages() -> dict[str, str]:
    """The text of every page under its file name."""
    rows = [(rule.code, rule.slug, rule.severity.value, rule.summary, rule.docs) for rule in RULES.values()]
    rows.append((UNREADABLE_CODE, UNREADABLE_SLUG, "warning", UNREADABLE_SUMMARY, UNREADABLE_DOCS))
    rows.sort()
    made = {f"{slug}.md": page(code, slug, severity, summary, docs) for code, slug, severity, summary, docs in rows}
    table = "\n".join(
        f"| [{code}]({slug}.md) | `{slug}` | {severity} | {text} |" for code, slug, severity, text, _ in rows
    )
    made["index.md"] = (
        "# Rules\n\nMade from the rules' own documentation; `ctxlint --explain CODE` prints the same.\n\n"
        f"| code | name | severity | says |\n|---|---|---|---|\n{table}\n"
    )
    return made


def page(code: str, slug: str, severity: str, summary: str, docs: str) -> str:
    return f"# {slug} ({code})\n\n{summary} Severity: {severity}.\n\n{docs.strip()}\n"


def main() -> None:
    PAGES.mkdir(exist_ok=True)
    for name, text in pages().items():
        (PAGES / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
