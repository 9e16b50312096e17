"""What must not be written: a rewrite of a rewrite. A type checker refuses it, and so does the run."""

from collections.abc import Sequence

from ctxcontracts import ContextBuffer, ObservedSpan, RewritePolicyError, summarizer, user_text


@summarizer
def shrink(spans: Sequence[ObservedSpan]) -> str:
    """Keep the first word of each turn."""
    return " ".join(span.text.split()[0] for span in spans)


buffer = ContextBuffer()
turn = buffer.observe(user_text("The migration of the billing service has failed twice since this morning."))
summary = buffer.rewrite(turn, shrink)
try:
    buffer.rewrite(summary, shrink)  # a summary of a summary
except RewritePolicyError as error:
    print(error)
