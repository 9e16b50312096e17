# a derived span out of a generic class of the user
# differs from r7_generic_function: the type is solved by a constructor and read from an attribute
from __future__ import annotations
from typing import Generic, TypeVar
from support import buf, der, shrink

T = TypeVar("T")


class Kept(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value


buf.rewrite(Kept(der).value, shrink)  # E: DerivedSpan
