"""The operations of the def-use graph.

A function is a tuple of operations; the index of an operation is the value that it defines, and its operands are
values, so `ops[v]` says how `v` came to be. Plain tuples, because there are some six for every line of code.

    def fold(llm, chunks):            1 PARAM 0 llm          2 PARAM 1 chunks
        summary = ""                  3 CONST ""
        for chunk in chunks:          4 LOOP entry=3 loop=1 backs=(7,)        what `summary` is in a round
            text = summary + chunk    5 ELEMENT 2            6 CONCAT (4, 5)
            summary = llm.ask(text)   7 CALL method=ask receiver=1 args=(6,)
        return summary                8 EXIT loop=1 (4, 7)   and `returns` is (8,)

Value 0 is the value that nothing is known about. A loop is the range of values that its body defines.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Op: TypeAlias = tuple[Any, ...]
"""An operation: its kind, then the fields that stand behind each kind below."""

OPAQUE: Final = 0  # ()                                  nothing is known
PARAM: Final = 1  # (index, name)                        what the caller passes
CONST: Final = 2  # (value,)                             a str, bool, int or None that stands in the code
NAME: Final = 3  # (name,)                               bound outside of every function: module level or builtin
CAPTURE: Final = 4  # (name, function)                   a variable of an enclosing function
PHI: Final = 5  # (values,)                              one of them
LOOP: Final = 6  # (entry, loop, backs)                  at the head: from before, or from the round before
EXIT: Final = 7  # (values, loop)                        one of them, after the loop; none: deleted in it
ATTR: Final = 8  # (base, name)
ITEM: Final = 9  # (base, key)                           `key` is a constant str or int, None when not known
# (base, None, value)                                    the same, where the key is a value of its own
SLICE: Final = 10  # (base, lower)                       elements from `lower`: a number, a name, None when not known
ELEMENT: Final = 11  # (base,)                           one element
CONCAT: Final = 12  # (values,)                          `+`, `|`, `*`: texts joined, or collections joined
FORMAT: Final = 13  # (values,)                          a new text made of texts; of a collection, of all of it
BUILD: Final = 14  # (fields,)                           a display; a field is (name, value), "" for what a `*` brings
# (fields, "each")                                       what a comprehension makes
SET_ATTR: Final = 15  # (base, name, value)              `base` after the assignment
SET_ITEM: Final = 16  # (base, key, value)               `base` after the assignment; key None when not known
# (base, None, value, key)                               the same, where the key is a value of its own
DELETE: Final = 17  # (base, key)                        `base` after `del base[key]`
CALL: Final = 18  # (callee, receiver, method, args, keywords)   values or -1; a keyword is (name, value), "*", "**"
OUT: Final = 19  # (base, call, position)                `base` after a call that got it: an index, a keyword, "self"
FUNC: Final = 20  # (function,)                          a nested function or lambda
CLASS: Final = 21  # (class,)
IMPORT: Final = 22  # (module, name)                     `module` with its leading dots; name "" for the module
FILTER: Final = 23  # (base, conditions)                 `base` where the conditions hold
SET_GLOBAL: Final = 24  # (name, value)
SET_CAPTURE: Final = 25  # (name, function, value)
TEST: Final = 26  # (conditions, values)                 a truth value that says something about its operands

IN_LIST: Final = "[]"
"""The field that stands for every element of a collection whose position is not known."""
WHOLE: Final = "[:]"
"""The key of an assignment to `x[:]`: what was in `x` is gone."""
PART: Final = "[a:b]"
"""The key of an assignment to a part of `x`, by slice."""
ANY: Final = "*"
"""The field that stands for every field."""
KEY: Final = "[k]"
"""The field that stands for the keys of a dict, where they are tasks that will have a result."""
