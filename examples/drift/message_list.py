"""A loop that compacts its message list: the summary of one round is among the messages of the next."""

from anthropic import Anthropic

client = Anthropic()


def compact(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Replace the older messages by a summary of them."""
    text = "\n".join(f"{message['role']}: {message['content']}" for message in messages[:-4])
    reply = client.messages.create(
        model="claude-sonnet-5",
        max_tokens=1000,
        messages=[{"role": "user", "content": f"Summarize this conversation for later reference:\n{text}"}],
    )
    return [{"role": "user", "content": reply.content[0].text}, *messages[-4:]]


def run(messages: list[dict[str, str]], turns: list[str]) -> None:
    """Answer each turn, compacting when the list grows long."""
    for turn in turns:
        messages.append({"role": "user", "content": turn})
        if len(messages) > 20:
            messages = compact(messages)
