"""The library's predicates over functions of your own, with plain icontract."""

from collections.abc import Sequence

import icontract

from ctxcontracts import ContextBuffer, ObservedSpan, RewritePolicyError, summarizer, tool_text, user_text
from ctxcontracts.contracts import all_observed, none_pinned, violation


@icontract.require(none_pinned, error=violation(none_pinned))
@icontract.require(all_observed, error=violation(all_observed))
def longest(spans: Sequence[ObservedSpan]) -> ObservedSpan:
    """Find what to summarize first. It must never be given a summary."""
    return max(spans, key=lambda span: span.tokens)


@summarizer
def first_words(spans: Sequence[ObservedSpan]) -> str:
    """Keep the first three words of each turn."""
    return "; ".join(" ".join(span.text.split()[:3]) for span in spans)


buffer = ContextBuffer()
buffer.observe(user_text("Why was the nightly build red?"))
log = buffer.observe(tool_text("no space left on the build machine\n" * 40, name="read_log"))
assert longest([span for span in buffer.spans if isinstance(span, ObservedSpan)]) is log
buffer.rewrite(log, first_words)
try:
    longest(buffer.spans)  # type: ignore[arg-type]  # a type checker refuses it; so does the contract
except RewritePolicyError as error:
    print(error)
