# a text that is plain first and exposed in a later round of a loop, and a door
# differs from r2_door_expose: the type of a variable is the one that it was declared with, which a loop widens back to
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der


def run(text: str) -> None:
    for _ in range(2):
        buf.observe(user_text(text))  # E: ctx-launder
        text = expose(der.text)


run("a question")
