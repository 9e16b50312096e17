# @tool over @summarizer
# differs from r2_tool_returns_derived: the function under @tool is an object of a sealed class
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer, tool
from support import obs

@tool  # E: Summarizer / DerivedText
@summarizer
def bad(spans: Sequence[ObservedSpan]) -> str:  # E: Summarizer / DerivedText
    return str(len(spans))


bad([obs])
