# exposed text through a queue, and a door
# differs from r6_door_joined_list: what comes out of a container is no part of an expression with what went in
from __future__ import annotations
import queue

from ctxcontracts import expose, user_text
from support import buf, der

todo: queue.Queue[str] = queue.Queue()
todo.put(f"{expose(der.text)}")
buf.observe(user_text(todo.get()))  # E: ctx-launder
