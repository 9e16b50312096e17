# spans out of a generic class of the user
# differs from ok_generic_function: the kind is kept by a class
from __future__ import annotations
from typing import Generic, TypeVar
from ctxcontracts import AnySpan
from support import buf, der, obs, shrink

S = TypeVar("S", bound=AnySpan)


class Kept(Generic[S]):
    def __init__(self, value: S) -> None:
        self.value = value


buf.rewrite(Kept(obs).value, shrink)
buf.rederive(Kept(der).value, shrink)
