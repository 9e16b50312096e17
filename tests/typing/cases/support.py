"""What every case works on: a buffer, spans of both kinds, a tool and summarizers."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcontracts import AnySpan, ContextBuffer, DerivedSpan, ObservedSpan, async_summarizer, summarizer, tool


@tool
def read_log(path: str) -> str:
    return f"a line of {path}\n" * 100


@summarizer
def shrink(spans: Sequence[ObservedSpan], max_words: int = 50) -> str:
    return " ".join(" ".join(s.text for s in spans).split()[:max_words])


@async_summarizer
async def ashrink(spans: Sequence[ObservedSpan], max_words: int = 50) -> str:
    return " ".join(" ".join(s.text for s in spans).split()[:max_words])


def plain(spans: Sequence[ObservedSpan]) -> str:
    return "x"


buf = ContextBuffer()
der: DerivedSpan = buf.rewrite(buf.observe(read_log("first")), shrink)
obs: ObservedSpan = buf.observe(read_log("a"))
obs2: ObservedSpan = buf.observe(read_log("b"))


def any_span() -> AnySpan:
    return buf.spans[0]
