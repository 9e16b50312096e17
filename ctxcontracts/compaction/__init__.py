"""Compaction: keep a buffer within its budget without ever summarizing a summary."""

from __future__ import annotations

from ctxcontracts.compaction.budget import Budget
from ctxcontracts.compaction.compactor import Compactor
from ctxcontracts.compaction.plan import Stage
from ctxcontracts.compaction.policy import Policy
from ctxcontracts.compaction.report import CompactionReport

__all__ = ["Budget", "CompactionReport", "Compactor", "Policy", "Stage"]
