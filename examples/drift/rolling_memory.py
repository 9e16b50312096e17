"""The commonest drift of all: a memory class that folds new turns into its last summary.

ctxlint reports the call in `add`. See `examples/safe/rolling_memory.py` for the same class without drift.
"""

from openai import OpenAI

PROMPT = """Progressively summarize the conversation, adding onto the previous summary.

Current summary:
{summary}

New lines:
{lines}

New summary:"""


class RollingMemory:
    """Keeps a running summary of a conversation."""

    def __init__(self, client: OpenAI) -> None:
        self.client = client
        self.summary = ""

    def add(self, lines: list[str]) -> None:
        """Fold new lines into the summary."""
        prompt = PROMPT.format(summary=self.summary, lines="\n".join(lines))
        reply = self.client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": prompt}])
        self.summary = reply.choices[0].message.content or ""
