"""What frameworks and clients mean, as data: no other package of ctxlint knows any of them by name."""

from __future__ import annotations

from ctxlint.models.load import load_models
from ctxlint.models.schema import Flow, HigherOrder, LlmCall, Models, Words

__all__ = ["Flow", "HigherOrder", "LlmCall", "Models", "Words", "load_models"]
