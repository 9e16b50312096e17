# a summarizer that calls a helper which reads the rendered buffer
# differs from r6_body_renders: the reading is one call away
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, obs

def so_far() -> str:
    return buf.render().text


@summarizer
def reads(spans: Sequence[ObservedSpan]) -> str:
    return so_far() + str(len(spans))  # E: ctx-rewrite


buf.rewrite(obs, reads)
