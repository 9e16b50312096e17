"""Step 4: a compactor in place of our own `compact`, and mypy with the plugin, which follows text through a `str`."""

from collections.abc import Sequence
from typing import Any

from ctxcontracts import (
    Budget,
    Compactor,
    ContextBuffer,
    ObservedSpan,
    Policy,
    assistant_text,
    summarizer,
    system_text,
    tool,
    transcript,
    user_text,
)

LIMIT = 400  # tokens of the window
LINES = 12


class Model:
    """Stands for a model: it answers, asks for a log, and summarizes by keeping what comes first."""

    def complete(self, messages: Sequence[dict[str, Any]]) -> str:
        text: str = messages[-1]["content"]
        if text.startswith("Summarize"):
            return "In short: " + " ".join(text.split()[6:16])
        if messages[-1]["role"] == "user":
            return "READ " + text.rsplit(maxsplit=1)[-1]
        return f"There are {text.count('error')} errors in {len(text)} characters."


class Agent:
    def __init__(self, model: Model, buffer: ContextBuffer | None = None) -> None:
        self.model = model
        self.buffer = ContextBuffer() if buffer is None else buffer
        self.compactor = Compactor(
            self.buffer, Budget(limit=LIMIT), policy=Policy(keep_recent=2, keep_tool_outputs=1)
        )
        self.buffer.observe(system_text("You find faults in logs."), pinned=True)

    def ask(self, question: str) -> str:
        self.buffer.observe(user_text(question))
        answer = self.turn()
        if answer.startswith("READ "):
            self.buffer.observe(read_log(answer.removeprefix("READ ")))
            answer = self.turn()
        self.compactor.compact(self.summarize)
        return answer

    def turn(self) -> str:
        answer = self.model.complete(self.buffer.render())
        self.buffer.observe(assistant_text(answer))
        return answer

    @summarizer
    def summarize(self, spans: Sequence[ObservedSpan], focus: str = "faults") -> str:
        prompt = f"Summarize what happened so far, with an eye on {focus}:\n" + transcript(spans)
        return self.model.complete([{"role": "user", "content": prompt}])


@tool
def read_log(name: str) -> str:
    kinds = ["info: all is well", "error: the disk is full"]
    return "\n".join(f"{name} {hour:02}:00 {kinds[hour % len(kinds)]}" for hour in range(LINES))


def main() -> None:
    agent = Agent(Model())
    for name in ("billing", "search", "mail", "queue", "cache", "index", "auth", "web"):
        print(agent.ask(f"What is wrong in {name}"))
    print(f"{len(agent.buffer)} spans, {agent.buffer.tokens} tokens, {agent.buffer.verify()}")


if __name__ == "__main__":
    main()
