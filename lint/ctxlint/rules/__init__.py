"""The rules: what a solution's arrivals mean to a user."""

from __future__ import annotations

from ctxlint.rules.registry import RULES, RuleInfo, all_rules, check, chosen, unused_suppressions
from ctxlint.rules.unused_suppression import Left

__all__ = ["RULES", "Left", "RuleInfo", "all_rules", "check", "chosen", "unused_suppressions"]
