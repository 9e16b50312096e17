# a derived span through a generic function of the user
# differs from r1_rewrite_derived: the type is solved from an argument
from __future__ import annotations
from collections.abc import Sequence
from typing import TypeVar
from support import buf, der, shrink

T = TypeVar("T")


def newest(items: Sequence[T]) -> T:
    return items[-1]


buf.rewrite(newest([der]), shrink)  # E: DerivedSpan
