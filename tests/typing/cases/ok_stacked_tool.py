# decorators of others below and above @tool
# differs from ok_observe_tool: the parameters go through two decorators
from __future__ import annotations
from collections.abc import Callable
from typing import ParamSpec, TypeVar, assert_type
from ctxcontracts import ObservedText, async_tool, tool
from support import buf

P = ParamSpec("P")
R = TypeVar("R")


def logged(function: Callable[P, R]) -> Callable[P, R]:
    return function


@logged
@tool
@logged
def read(path: str, *, lines: int = 10) -> str:
    return path * lines


@async_tool
@logged
async def fetch(url: str) -> str:
    return url


assert_type(read("x", lines=3), ObservedText)
buf.observe(read("x"))


async def main() -> None:
    buf.observe(await fetch("x"))
