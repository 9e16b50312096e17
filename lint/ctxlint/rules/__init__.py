"""The rules: what a solution's arrivals mean to a user."""

from __future__ import annotations

from ctxlint.rules.registry import RULES, RuleInfo, all_rules, check, chosen, unused_suppressions

__all__ = ["RULES", "RuleInfo", "all_rules", "check", "chosen", "unused_suppressions"]
