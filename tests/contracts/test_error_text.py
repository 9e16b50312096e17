"""Error texts and refusals are no summaries, and summaries of errors are."""

from __future__ import annotations

import pytest

from ctxcontracts.contracts import looks_like_error

ERRORS = [
    "Error: rate limit exceeded",
    "**Error:** model overloaded",
    "error code: 429 - {'error': {'message': 'slow down'}}",
    "Error generating summary: timeout",
    "[Error: no summary]",
    "Exception: connection reset",
    "ValueError: bad prompt",
    "openai.RateLimitError: Error code: 429",
    "requests.exceptions.ReadTimeout: read timed out",
    "Traceback (most recent call last):\n" + '  File "a.py", line 1\n' * 100,
    '{"error": {"message": "overloaded"}}',
    '{"type": "error", "error": {}}',
    "429 Too Many Requests",
    "HTTP 503 Service Unavailable",
    "502: bad gateway",
    "500 Internal Server Error",
    "Failed to summarize the conversation.",
    "Unable to generate a summary.",
    "Summary unavailable",
    "(summary generation failed)",
    "No summary available.",
    "An error occurred while processing your request.",
    "Request timed out.",
    "I'm sorry, but I can't help with that.",
    "I\N{RIGHT SINGLE QUOTATION MARK}m sorry, but I cannot assist with this request.",
    "I cannot provide a summary of this conversation.",
    "Sorry, I am unable to summarize this.",
    "As an AI, I cannot do that.",
    "I can't, in good conscience, help here",
]
SUMMARIES = [
    "",
    "The user asked why the build was red; a disk was full.",
    "The build failed with ValueError: bad prompt, and was restarted.",
    "Errors were found in three modules and fixed.",
    "Error handling was added to the parser.",
    "I can't reproduce the crash yet; the next step is to bisect.",
    "I cannot find the file that the user named.",
    "I'm unable to reach the database from the test machine so far.",
    "Sorry state of the disk: 99 % full.",
    "429 tests pass, 3 fail.",
    "500 lines of the log were read.",
    "404",
    "Decision: use SQLite. TypeError: still open.",
    "Note: the API returns an error for empty lists.",
    '{"goal": "fix the build", "error": "disk full"}',
    "Error: the user reported this first. " + "Then the log was read and the disk was cleaned. " * 20,
    "Unable hands were hired.",
    "user: hi",
    "As an AI project, this one is small.",
]


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: text[:30])
def test_the_text_of_an_error_or_a_refusal_is_known(text: str) -> None:
    """A model's client or the model itself wrote it in place of a summary."""
    assert looks_like_error(text)
    assert looks_like_error(f"\n  {text}\n")


@pytest.mark.parametrize("text", SUMMARIES, ids=lambda text: text[:30])
def test_a_summary_may_tell_of_errors(text: str) -> None:
    """Refusing a good summary would stop a compaction for nothing."""
    assert not looks_like_error(text)
