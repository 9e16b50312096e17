# ObservedText(str) by a user
from __future__ import annotations
from ctxcontracts import ObservedText
from support import buf

buf.observe(ObservedText("made up"))  # E: _made_by_tool_or_user_text
