# a method as summarizer that reads the buffer of its object
# differs from r6_body_renders: the buffer is an attribute, whose type is known through self
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ContextBuffer, ObservedSpan, summarizer
from support import buf, obs

class Agent:
    def __init__(self, buffer: ContextBuffer) -> None:
        self.buffer = buffer

    @summarizer
    def reads(self, spans: Sequence[ObservedSpan]) -> str:
        return self.buffer.render().text  # E: ctx-rewrite


buf.rewrite(obs, Agent(buf).reads)
