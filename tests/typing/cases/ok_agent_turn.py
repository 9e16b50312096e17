# the loop of an agent: its answer to the rendered buffer is an original
# differs from ok_observe_user: a str that was computed from derived text, by a model
from __future__ import annotations
from typing import Any
from ctxcontracts import assistant_text, user_text
from support import buf

def complete(messages: list[dict[str, Any]]) -> str:
    return f"answer to {len(messages)} messages"


buf.observe(user_text(input("you: ")))
answer = complete(buf.render())
buf.observe(assistant_text(answer))
