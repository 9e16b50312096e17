"""The memory class without drift: originals are kept, and every summary is made from them."""

from openai import OpenAI

PROMPT = """Summarize the conversation.

Lines:
{lines}

Summary:"""


class RollingMemory:
    """Keeps a summary of a conversation, and the conversation."""

    def __init__(self, client: OpenAI) -> None:
        self.client = client
        self.lines: list[str] = []
        self.summary = ""

    def add(self, lines: list[str]) -> None:
        """Keep the lines and make the summary anew from all of them."""
        self.lines.extend(lines)
        prompt = PROMPT.format(lines="\n".join(self.lines))
        reply = self.client.chat.completions.create(model="gpt-5", messages=[{"role": "user", "content": prompt}])
        self.summary = reply.choices[0].message.content or ""
