"""Step 2: a buffer in place of the list. Originals stay readable, and no text changes what it is at a door."""

from ctxcontracts import (
    ContextBuffer,
    assistant_text,
    is_observed,
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

    def complete(self, messages):
        text = messages[-1]["content"]
        if text.startswith("Summarize"):
            return "In short: " + " ".join(text.split()[6:16])
        if messages[-1]["role"] == "user":
            return "READ " + text.split()[-1]
        return f"There are {text.count('error')} errors in {len(text)} characters."


class Agent:
    def __init__(self, model, buffer=None):
        self.model = model
        self.buffer = ContextBuffer() if buffer is None else buffer
        self.buffer.observe(system_text("You find faults in logs."), pinned=True)

    def ask(self, question):
        self.buffer.observe(user_text(question))
        answer = self.turn()
        if answer.startswith("READ "):
            self.buffer.observe(read_log(answer.removeprefix("READ ")))
            answer = self.turn()
        if self.buffer.tokens > LIMIT:
            self.compact()
        return answer

    def turn(self):
        answer = self.model.complete(self.buffer.render())
        self.buffer.observe(assistant_text(answer))
        return answer

    def compact(self):
        turns = [span for span in self.buffer.spans if is_observed(span) and not span.pinned]
        return self.buffer.rewrite(turns, self.summarize)

    @summarizer
    def summarize(self, spans, focus="faults"):
        prompt = f"Summarize what happened so far, with an eye on {focus}:\n" + transcript(spans)
        return self.model.complete([{"role": "user", "content": prompt}])


@tool
def read_log(name):
    kinds = ["info: all is well", "error: the disk is full"]
    return "\n".join(f"{name} {hour:02}:00 {kinds[hour % len(kinds)]}" for hour in range(LINES))


def main():
    agent = Agent(Model())
    for name in ("billing", "search", "mail", "queue", "cache", "index", "auth", "web"):
        print(agent.ask(f"What is wrong in {name}"))
    print(f"{len(agent.buffer)} spans, {agent.buffer.tokens} tokens, {agent.buffer.verify()}")


if __name__ == "__main__":
    main()
