# @tool over a function under @derives
# differs from r2_tool_body: two decorators, of which the inner one makes the text derived
from __future__ import annotations
from ctxcontracts import derives, tool
from support import buf

@tool  # E: ctx-launder
@derives
def notes() -> str:  # E: ctx-launder
    return "they said that all is well"


buf.observe(notes())
