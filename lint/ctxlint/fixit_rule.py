"""ctxlint's rules for Fixit 2: `fixit lint` with `enable = ["ctxlint.fixit_rule"]` in `[tool.fixit]`.

A thin coat over `ctxlint.libcst_rule`. Fixit looks at one file at a time, so text that comes back through another
file is found by `ctxlint PATH` only. Both kinds of suppression count: Fixit's comments and ctxlint's.
"""

from __future__ import annotations

from typing import ClassVar

from ctxlint.errors import UnreadableError, UsageError
from ctxlint.libcst_rule import check_module

try:
    import libcst
    from fixit import Invalid, LintRule, Valid
except ImportError as error:
    raise UsageError('the Fixit rules need Fixit; run: pip install "ctxcontracts[fixit]"') from error


class _DriftRule(LintRule):
    """What the rules share: which code they report."""

    CODE: ClassVar[str] = ""

    def visit_Module(self, node: libcst.Module) -> None:  # noqa: N802 - libcst's name
        """Report what the whole module holds; Fixit would otherwise call once a node."""
        try:
            found = check_module(node)
        except UnreadableError:
            return  # libcst reads newer syntax than this Python; `ctxlint PATH` reports such a file as CTX901
        for each in found:
            if each.finding.code == self.CODE:
                self.report(each.node, f"{each.finding.code} {each.finding.message}")


class ResummarizedSummary(_DriftRule):
    """CTX001: a summarizer's output reaches a summarizer's input in a later round."""

    CODE = "CTX001"
    VALID: ClassVar[list[str | Valid]] = [
        Valid(
            """
            def brief(llm, pages):
                return [llm.summarize(page.text) for page in pages]
            """
        ),
        Valid(
            """
            def refresh(llm, store):
                digest = ""
                for day in store.days():
                    digest = llm.summarize(day.original_messages())
                    store.save(digest)
                return digest
            """
        ),
    ]
    INVALID: ClassVar[list[str | Invalid]] = [
        Invalid(
            """
            def digest(llm, pages):
                notes = ""
                for page in pages:
                    notes = llm.summarize(notes + page)
                return notes
            """
        ),
    ]


class LaunderedText(_DriftRule):
    """CTX101: derived text of ctxcontracts goes through a door, or into a summarizer."""

    CODE = "CTX101"
    VALID: ClassVar[list[str | Valid]] = [
        Valid(
            """
            from ctxcontracts import assistant_text

            def turn(buffer, client):
                buffer.observe(assistant_text(client.answer(buffer.render())))
            """
        ),
    ]
    INVALID: ClassVar[list[str | Invalid]] = [
        Invalid(
            """
            from ctxcontracts import expose, user_text

            def note(buffer, summary):
                buffer.observe(user_text(f"So far: {expose(summary.text)}"))
            """
        ),
    ]


class SummaryHierarchy(_DriftRule):
    """CTX002: outputs of one pass are merged by another summarizer."""

    CODE = "CTX002"
    VALID: ClassVar[list[str | Valid]] = [
        Valid(
            """
            def brief(llm, pages):
                return "\\n".join(llm.summarize(page.text) for page in pages)
            """
        ),
    ]
    INVALID: ClassVar[list[str | Invalid]] = [
        Invalid(
            """
            def brief(llm, pages):
                parts = [llm.summarize(page.text) for page in pages]
                return llm.summarize("\\n".join(parts))
            """
        ),
    ]
