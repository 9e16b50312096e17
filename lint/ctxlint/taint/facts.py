"""Facts: where in a value the derived text is, what stands next to it, and which round it is from.

    note = {"role": "system", "content": summary}      value note, path ("content",), mark {role: system}
    turns.append(note)                                 value turns, path ("[]", "content"), mark {role: system}
    for turn in turns:                                 value turn, path ("content",), in loop 1
        text = text + turn["content"]                  at the head of loop 1, in the next round: carried by loop 1

The empty path means the value itself and all that is in it. A round is one number: `n >= 0` when the text entered
this function inside loop n (0: outside of loops), `-n` when it has come around loop n since, LATER when it was kept
somewhere from an earlier invocation.
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.ir import FunctionIR
from ctxlint.ir.keys import NAMED
from ctxlint.ir.ops import ANY, IN_LIST, KEY

Path = tuple[str, ...]
Mark = tuple[tuple[str, object], ...]

LATER = -1_000_000
HELD = "+"
"""What fields begin with that stand for the records in a handle, see `ctxlint.taint.handles`."""
MAX_PATH = 5


class Fact(NamedTuple):
    """Derived text at `path` of `value`."""

    value: int
    path: Path
    mark: Mark = ()
    round: int = 0


def put(field: str, path: Path) -> Path:
    """The path of a text after its holder became the field of another value.

    Paths are cut, which only says less: a shorter path means "somewhere in there". A structure that holds itself
    would grow paths for ever, so that a field that comes again cuts too (a list in a list may).
    """
    if not field:
        return path
    if field in path and (field != IN_LIST or path[0] != IN_LIST or path.count(IN_LIST) > 1):
        return (field, *path[: path.index(field)])[:MAX_PATH]
    return (field, *path)[:MAX_PATH]


def get(path: Path, key: str | int | None, *, attribute: bool = False) -> Path | None:
    """The path below a field, None when the text is not in that field."""
    if not path:
        return ()
    head = path[0]
    if head == ANY or head == str(key) or (head[0] == HELD and not attribute):
        return path[1:]
    if attribute or head == KEY:
        return None
    if isinstance(key, str) and key.startswith(NAMED) != head.startswith(NAMED):
        return path[1:]  # a constant under its name may be any key
    # What a list holds is at any position; a position or key that is not known may be any.
    return path[1:] if key is None or head == IN_LIST else None


def element(path: Path) -> Path | None:
    """The path below an element that an iteration gives."""
    if not path or path[0] in {IN_LIST, ANY, KEY} or path[0].isdigit() or path[0][0] == HELD:
        return path[1:]
    return None


def loop_of(function: FunctionIR, value: int) -> int:
    """The innermost loop that defines a value, 0 for none."""
    best = 0
    for number, loop in enumerate(function.loops):
        if number and loop.start <= value < loop.end:
            best = number
    return best


def encloses(function: FunctionIR, outer: int, inner: int) -> bool:
    """Loop `outer` is `inner` or stands around it."""
    while inner:
        if inner == outer:
            return True
        inner = function.loops[inner].parent
    return outer == 0


def around(function: FunctionIR, loop: int, number: int) -> int:
    """The round of a text that comes from the end of a loop's body to its head."""
    if number == LATER:
        return LATER
    if number >= 0:
        # A text that was there before the loop stays the same text, however often it comes around.
        return -loop if number and encloses(function, loop, number) else number
    return -loop if encloses(function, loop, -number) else number


def leave(function: FunctionIR, loop: int, number: int) -> int:
    """The round of a text that leaves a loop: what went on inside it is one step for what stands around it."""
    if number == LATER or not encloses(function, loop, abs(number)) or not number:
        return number
    return function.loops[loop].parent
