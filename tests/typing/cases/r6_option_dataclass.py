# a summarizer option whose field holds exposed text
# differs from r6_option_list: the class of the option tells nothing of what is in its field
from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

@dataclass
class Options:
    previous: str = ""


@summarizer
def extend(spans: Sequence[ObservedSpan], options: Options) -> str:
    return options.previous + str(len(spans))


buf.rewrite(obs, extend, Options(previous=expose(der.text)))  # E: ctx-rewrite
