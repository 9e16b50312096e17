# a person who was shown a summary and answers
# differs from ok_print_derived: the door is near exposed text that does not go through it
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

answer = input(f"Is this right? {expose(der.text)} ")
buf.observe(user_text(answer))
buf.observe(user_text("yes" if len(expose(der.text)) > 3 else "no"))
