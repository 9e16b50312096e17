# a door in a lambda, over a text that was exposed and formatted before
# differs from r2_door_expose_fstring: the body of a lambda is checked where it stands and runs later
from __future__ import annotations
from collections.abc import Callable

from ctxcontracts import expose, user_text
from support import buf, der

note = f"so far: {expose(der.text)}"
remember: Callable[[], object] = lambda: buf.observe(user_text(note))  # noqa: E731  # E: ctx-launder
remember()
