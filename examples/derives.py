"""The smallest way in: one line over the summarizer that you have."""

from typing import Any

from ctxcontracts import RewritePolicyError, derives


@derives
def summarize(messages: list[dict[str, Any]]) -> str:
    """Stand for a call to a model."""
    return f"The user wrote {len(messages)} messages about a failed migration."


messages = [{"role": "user", "content": "The migration failed."}, {"role": "user", "content": "It failed again."}]
messages = [{"role": "user", "content": summarize(messages)}, {"role": "user", "content": "What now?"}]
try:
    summarize(messages)  # would summarize the summary
except RewritePolicyError as error:
    print(error)
