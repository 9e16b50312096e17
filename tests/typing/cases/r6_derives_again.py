# the result of a function under @derives given to it again
# differs from r1_rewrite_chain: there is no span and no buffer, and the type is str
from __future__ import annotations
from ctxcontracts import derives

@derives
def summarize(history: list[str]) -> str:
    return f"{len(history)} turns"


first = summarize(["The log says that the migration failed.", "It was started again."])
summarize([first, "and now?"])  # E: nothing but the run and the linter see it
