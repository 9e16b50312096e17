"""Outcomes as text for people and as SARIF for machines. A reporter reads no file and changes no finding."""

from __future__ import annotations

from ctxlint.report.format import Format, render
from ctxlint.report.statistics import statistics

__all__ = ["Format", "render", "statistics"]
