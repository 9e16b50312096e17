"""Step 1: `@derives` over the summarizer. A summary of a summary is an error of the run, so each is made of turns."""

from ctxcontracts import derives

LIMIT = 1600  # characters of the window
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
    def __init__(self, model):
        self.model = model
        self.messages = [{"role": "system", "content": "You find faults in logs."}]

    def ask(self, question):
        self.messages.append({"role": "user", "content": question})
        answer = self.model.complete(self.messages)
        self.messages.append({"role": "assistant", "content": answer})
        if answer.startswith("READ "):
            log = read_log(answer.removeprefix("READ "))
            self.messages.append({"role": "tool", "content": log})
            answer = self.model.complete(self.messages)
            self.messages.append({"role": "assistant", "content": answer})
        if self.size() > LIMIT:
            self.compact()
        return answer

    def size(self):
        return sum(len(message["content"]) for message in self.messages)

    def compact(self):
        turns = [message for message in self.messages[1:] if "summary" not in message]
        kept = [message for message in self.messages if message not in turns]
        summary = summarize(self.model, turns)
        self.messages = [*kept, {"role": "user", "content": summary, "summary": True}]


def read_log(name):
    kinds = ["info: all is well", "error: the disk is full"]
    return "\n".join(f"{name} {hour:02}:00 {kinds[hour % len(kinds)]}" for hour in range(LINES))


@derives
def summarize(model, messages):
    text = "\n".join(f"{message['role']}: {message['content']}" for message in messages)
    return model.complete([{"role": "user", "content": "Summarize what happened so far:\n" + text}])


def main():
    agent = Agent(Model())
    for name in ("billing", "search", "mail", "queue", "cache", "index", "auth", "web"):
        print(agent.ask(f"What is wrong in {name}"))
    print(f"{len(agent.messages)} messages, {agent.size()} characters")


if __name__ == "__main__":
    main()
