"""Where compiled code lets Python run what waits: the alarm of `time_limit`, and the user's interrupt.

Python looks for signals when it runs bytecode, and compiled code is none; so this module is never compiled
(`hatch_build.py`), and the loops that take long call it.
"""

from __future__ import annotations


def breathe() -> None:
    """Nothing by itself."""
