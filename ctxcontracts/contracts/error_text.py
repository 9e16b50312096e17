"""Whether a text is the message of an error, or of a refusal, where a summary was asked for (promise P6).

Conservative: a summary may tell of errors, so only a text that *opens* as an error does, and is as short as messages
are, counts. It is a net for the usual case; a summarizer that knows that it failed should raise.
"""

from __future__ import annotations

_LONGEST_MESSAGE = 600
"""Characters. A longer text that opens like an error is taken for a summary that starts with one."""

_TRACEBACK = "traceback (most recent call last)"
_JSON_OPENINGS = ('{"error":', '{"type":"error"', '{"errors":', '[{"error":')
_OPENINGS = (
    "error:",
    "error code:",
    "exception:",
    "fatal:",
    "an error occurred",
    "an error has occurred",
    "error while summarizing",
    "error summarizing",
    "error generating",
    "error during summar",
    "failed to summarize",
    "failed to summarise",
    "failed to generate",
    "failed to create a summary",
    "could not summarize",
    "could not generate a summary",
    "could not create a summary",
    "unable to summarize",
    "unable to generate",
    "summary failed",
    "summary unavailable",
    "summary not available",
    "summary could not be",
    "summarization failed",
    "summarisation failed",
    "summary generation failed",
    "no summary available",
    "no summary was generated",
    "internal server error",
    "service unavailable",
    "too many requests",
    "rate limit exceeded",
    "request timed out",
)
_REFUSING = (
    "i can't",
    "i cannot",
    "i can not",
    "i'm unable to",
    "i am unable to",
    "i'm not able to",
    "i am not able to",
    "i won't",
    "as an ai",
)
_REFUSED = frozenset(
    {"answer", "assist", "comply", "create", "do", "fulfil", "fulfill", "generate", "help"}
    | {"process", "produce", "provide", "summarise", "summarize"}
)
_APOLOGIES = ("i'm sorry, but ", "i'm sorry. ", "i am sorry, but ", "sorry, but ", "sorry, ", "i apologize, but ")
_STATUSES = frozenset(
    {"400", "401", "402", "403", "404", "408", "413", "422", "429", "500", "502", "503", "504", "529"}
)
_STATUS_WORDS = frozenset(
    {"too", "internal", "service", "bad", "unauthorized", "forbidden", "overloaded", "gateway", "error"}
)
_WRAPPING = "[](){}<>*_`\"' \t\r\n"


def looks_like_error(text: str) -> bool:
    """Whether a text opens as an error, a traceback or a refusal does, and is as short as those are."""
    plain = " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    bare = plain.lstrip(_WRAPPING)
    if bare.startswith(_TRACEBACK):
        return True
    if len(plain) > _LONGEST_MESSAGE:
        return False
    if plain.replace(" ", "").startswith(_JSON_OPENINGS) or bare.startswith(_OPENINGS):
        return True
    return _names_an_exception(text, bare) or _is_refusal(bare)


def _names_an_exception(text: str, bare: str) -> bool:
    """`ValueError: ...`, `openai.RateLimitError: ...`, `429 Too Many Requests`, `HTTP 503 ...`."""
    head, colon, _ = text.strip().partition(":")
    last = head.rpartition(".")[2]
    if colon and last.isidentifier() and last.endswith(("Error", "Exception", "Timeout")):
        return True
    words = bare.removeprefix("http ").split(maxsplit=2)
    return len(words) > 1 and words[0].strip(":") in _STATUSES and words[1].strip(":,") in _STATUS_WORDS


def _is_refusal(bare: str) -> bool:
    for apology in _APOLOGIES:
        bare = bare.removeprefix(apology)
    for opening in _REFUSING:
        if bare.startswith(opening):
            following = bare[len(opening) :].replace(",", " ").replace(".", " ").split()[:8]
            return not _REFUSED.isdisjoint(following)
    return False
