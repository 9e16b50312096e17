# a variable that held exposed text and then something else
# differs from ok_expose: the door is behind the second assignment
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

shown: str = expose(der.text)
print(shown)
shown = input()
buf.observe(user_text(shown))
