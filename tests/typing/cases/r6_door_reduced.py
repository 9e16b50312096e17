# exposed text through functools.reduce and operator.add, and a door
# differs from r6_door_joined_list: functions of the standard library do what an operator would
from __future__ import annotations
import functools
import operator

from ctxcontracts import expose, user_text
from support import buf, der

text: str = functools.reduce(operator.add, ["so far: ", expose(der.text)])
buf.observe(user_text(text))  # E: ctx-launder
