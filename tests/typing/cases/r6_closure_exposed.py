# a summarizer that closes over a text that was exposed before
# differs from r6_closure_span: nothing is exposed while it runs
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

so_far = expose(der.text)


@summarizer
def closes(spans: Sequence[ObservedSpan]) -> str:
    return so_far + str(len(spans))  # E: ctx-rewrite


buf.rewrite(obs, closes)
