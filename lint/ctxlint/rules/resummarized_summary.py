r"""A summary comes back as the input of a summarizer in a later round.

## What it does

Follows the text that a summarizer writes and reports the summarizer call that it comes back to in a later
round: of a loop, of a conversation, of a session. It is reported once, at the call nearest the model; callers
further out are related places.

## Why is this bad?

A summary of a summary drops and invents a little more every time, and nothing in it says which part was
observed. After some rounds the oldest facts rest on nothing but the model's earlier words.

## Example

```python
class Memory:
    def save(self, turns):
        self.summary = self.llm.invoke(f"Extend this summary: {self.summary}\nNew lines: {turns}").content
```

## Use instead

```python
class Memory:
    def save(self, turns):
        self.turns.extend(turns)  # the originals stay
        self.summary = self.llm.invoke(f"Summarize these lines: {self.turns}").content
```

## How it decides

A call is a summarizer when a marker says so, when the prompt that reaches it asks for a summary, when the names
around a call of a language model say so, or when a call that nobody can look into is named for it. The text is
followed through variables, containers, objects, fields, functions and files.

What is written to a store comes back from the calls that read it: `db.upsert_session(s)` and `db.get_session(key)` on
the same kind of object, with the same kind of record, and no constant key, column or option that keeps them apart. A
file comes back where the same path is read. What the model passes to a tool that it was given is its text, too.

These take it out: a filter by a flag, role, kind, class, prefix or id that was written next to the summary; a slice
that begins behind it; an assignment or a reset that replaces what was kept; a test that finds an earlier summary and
ends there. A filter that a parameter can turn off is judged for each caller. A marker that nobody asks for, a limit
on tokens or rounds, and a prompt that forbids it take nothing out.

## Known limits

What other programs write back, and calls that are only decided at run time, are not followed. Two objects of one
class are not told apart when their methods change a field: what one of them keeps counts for both. Stores are matched
by their class and by names, so that two stores of one class look like one to those who only put and get.
Of SQL statements the tables are read, not the columns or conditions.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.finding import Finding, Severity
from ctxlint.rules import wording
from ctxlint.taint import Solution

CODE = "CTX001"
SLUG = "resummarized-summary"
SEVERITY = Severity.ERROR


def find(solution: Solution) -> Iterator[Finding]:
    """A finding for each site that derived text comes back to."""
    for arrival in solution.arrivals:
        if arrival.later:
            yield wording.finding(arrival, code=CODE, slug=SLUG, severity=SEVERITY)
