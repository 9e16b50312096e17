# a text that an f-string adds to in each round of a loop, and a door
# differs from r6_door_loop: the value has no mark at run time either
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der


def run(notes: str) -> None:
    for _ in range(2):
        buf.observe(user_text(notes))  # E: ctx-launder
        notes += f"\n{expose(der.text)}"


run("notes")
