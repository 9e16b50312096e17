# exposed text in a field that dataclasses.replace sets, and a door
# differs from r7_dataclass_replace: the field is a str
from __future__ import annotations
import dataclasses

from ctxcontracts import expose, user_text
from support import buf, der


@dataclasses.dataclass(frozen=True)
class State:
    note: str = ""


state = dataclasses.replace(State(), note=f"{expose(der.text)}")
buf.observe(user_text(state.note))  # E: ctx-launder
