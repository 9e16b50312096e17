r"""Newer Python, brought down to the grammar of an older one, with every line where it was.

    type Row[T] = dict[str, T]            Row         = dict[str, T]
    def first[T](rows: list[T]) -> T:     def first   (rows: list[T]) -> T:
    class Box[T](Base):                   class Box   (Base):
    except OSError, ValueError:           except (OSError, ValueError):

Only a file that the running Python refuses comes here, so what looks like these and stands in a text may be changed
with them. Parameters of types say nothing about what flows, and are left out.
"""

from __future__ import annotations

import re

_NEW = re.compile(
    r"^(?P<indent>[ \t]*)(?:"
    r"type[ \t]+(?P<alias>\w+)[ \t]*(?=\[|=[^=])"
    r"|(?P<head>(?:async[ \t]+def|def|class)[ \t]+\w+)[ \t]*(?=\[)"
    r"|(?P<caught>except\*?)[ \t]+(?P<kinds>[\w.]+(?:[ \t]*,[ \t]*[\w.]+)+)(?=[ \t]*:)"
    r")",
    re.MULTILINE,
)
_BRACKETS = re.compile(r"[\[\]]")


def older(text: str) -> str:
    """The text without what is new in Python 3.12 to 3.14, as far as one line shows it."""
    done: list[str] = []
    at = 0
    for match in _NEW.finditer(text):
        if match.start() < at:
            continue
        done.append(text[at : match.start()])
        written = _written(match)
        at = match.end()
        if text[at : at + 1] == "[":
            end = _closed(text, at)
            written += _blank(text[at:end])
            at = end
        done.append(written)
    return "".join((*done, text[at:]))


def _written(match: re.Match[str]) -> str:
    """What stands in the place of the start of a statement: of the same length, where that can be."""
    if match["caught"]:
        return f"{match['indent']}{match['caught']} ({match['kinds']})"
    return f"{match['indent']}{match['alias'] or match['head']}".ljust(match.end() - match.start())


def _closed(text: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`; `start` when none does."""
    depth = 0
    for match in _BRACKETS.finditer(text, start):
        depth += 1 if match[0] == "[" else -1
        if not depth:
            return match.end()
    return start


def _blank(text: str) -> str:
    """Spaces for a part that may go over several lines."""
    return "\n".join(" " * (len(line) - 1) + "\\" for line in text.split("\n"))[:-1] + " "
