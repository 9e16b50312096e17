# a summarizer that reads its spans, settings and a prompt
# differs from ok_summarizer_type: the body reads variables of the module, none of them derived
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer, transcript
from support import buf, obs

PROMPT = "Summarize:\n{}"
limits = {"words": 50}


def ask(prompt: str) -> str:
    return prompt[:20]


@summarizer
def short(spans: Sequence[ObservedSpan], style: str = "plain") -> str:
    origins = {span.origin for span in spans}
    return ask(PROMPT.format(transcript(spans)) + style + str(origins) + str(limits["words"]))


buf.rewrite(obs, short, style="terse")
