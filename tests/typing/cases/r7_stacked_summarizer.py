# @summarizer over @tool, on a tool that takes no spans
# differs from r3_takes_str: the function was decorated before, and keeps its parameters
from __future__ import annotations
from ctxcontracts import summarizer, tool
from support import buf, obs

@summarizer  # E: str / No overload
@tool
def bad(path: str) -> str:  # E: str
    return path.upper()


buf.rewrite(obs, bad)  # E: Summarizer
