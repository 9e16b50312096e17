"""Keep a buffer within its budget: prune first, rewrite once, never summarize a summary."""

from collections.abc import Sequence

from ctxcontracts import (
    Budget,
    Compactor,
    ContextBuffer,
    ObservedSpan,
    Policy,
    assistant_text,
    summarizer,
    tool_text,
    transcript,
    user_text,
)


@summarizer
def ask_model(spans: Sequence[ObservedSpan], max_words: int = 30) -> str:
    """Stand for a call to a model: `transcript` is what its prompt would hold."""
    return " ".join(transcript(spans).split()[:max_words])


buffer = ContextBuffer()
compactor = Compactor(buffer, Budget(limit=2_000), policy=Policy(keep_recent=3, keep_tool_outputs=1))
for step in range(12):
    buffer.observe(user_text(f"Step {step}: look at the next file."))
    buffer.observe(tool_text(f"file {step}\n" + "def f(): ...\n" * 20, name="read_file"))
    buffer.observe(assistant_text(f"I have read file {step}; it defines f twenty times. " * 12))
    report = compactor.compact(ask_model)
    if report.before != report.after:
        print(f"step {step}: {report}")
print(buffer.verify())
