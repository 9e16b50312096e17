# a global that a function sets to exposed text, and a door
# differs from r6_door_loop: no assignment stands in the flow of the file
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

last = "nothing yet"


def compact() -> None:
    global last
    last = f"{expose(der.text)}"


compact()
buf.observe(user_text(last))  # E: ctx-launder
