"""A graph node that extends the summary in its state: read under a key, written back under the same key."""

from typing import Any

from langchain_core.messages import HumanMessage, RemoveMessage
from langchain_openai import ChatOpenAI

model = ChatOpenAI(model="gpt-5")


def summarize_conversation(state: dict[str, Any]) -> dict[str, Any]:
    """Replace all but the last two messages by a summary."""
    summary = state.get("summary", "")
    if summary:
        request = f"Here is the summary of the conversation so far: {summary}\n\nExtend it with the messages above:"
    else:
        request = "Create a summary of the conversation above:"
    response = model.invoke([*state["messages"], HumanMessage(content=request)])
    removed = [RemoveMessage(id=message.id) for message in state["messages"][:-2]]
    return {"summary": response.content, "messages": removed}
