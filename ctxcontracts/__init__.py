"""Make the context of an LLM agent safe to edit."""

from __future__ import annotations
