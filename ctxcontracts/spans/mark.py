"""The mark that derived text carries wherever it leaves as flat text: `[[derived:ID]]`.

It is plain ASCII, so that it survives JSON, logs and tokenizers, and it stands in front, so that it survives a cut.
A door that meets it refuses, whatever string operations the text went through in between.
"""

from __future__ import annotations

OPEN = "[[derived:"
CLOSE = "]]"
_LONGEST_ID = 200
_LONGEST_CUT = 40


def mark(derived_id: str) -> str:
    """The mark of one derived text."""
    return f"{OPEN}{derived_id}{CLOSE}"


def marked_ids(text: str) -> tuple[str, ...]:
    """The ids of the derived texts whose marks stand in a text, in order of appearance.

    A mark that was cut off before its end counts, with what is left of its first word: the text behind it is nobody's
    to print.
    """
    if OPEN not in text:
        return ()
    return tuple(_id_at(piece) for piece in text.split(OPEN)[1:])


def _id_at(piece: str) -> str:
    found, close, _ = piece[:_LONGEST_ID].partition(CLOSE)
    if close and len(found.split()) == 1 and found.isprintable():
        return found
    return (piece[:_LONGEST_CUT].split() or [""])[0]
