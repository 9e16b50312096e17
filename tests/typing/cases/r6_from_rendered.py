# a new buffer made from the rendered messages of another
# differs from r6_door_rendered_message: the door is a class method, which takes messages
from __future__ import annotations
from ctxcontracts import ContextBuffer
from support import buf

ContextBuffer.from_messages(buf.render())  # E: ctx-launder
