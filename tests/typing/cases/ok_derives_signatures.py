# @derives over functions of every kind: each pair of revealed types is the same
# differs from ok_contract_signatures: the decorator is ours, with options and over generators
from __future__ import annotations
from collections.abc import AsyncIterator, Generator
from typing import reveal_type
from ctxcontracts import derives

def sync(messages: list[dict[str, str]], limit: int = 3, *, loud: bool = False) -> str:
    return "x"


async def later(messages: list[dict[str, str]]) -> str:
    return "x"


def stream(messages: list[dict[str, str]]) -> Generator[str, None, int]:
    yield "x"
    return 1


async def later_stream(messages: list[dict[str, str]]) -> AsyncIterator[str]:
    yield "x"


reveal_type(sync)
reveal_type(derives(sync))
reveal_type(sync)
reveal_type(derives(mark=False)(sync))
reveal_type(later)
reveal_type(derives(later))
reveal_type(stream)
reveal_type(derives(stream))
reveal_type(later_stream)
reveal_type(derives(later_stream))
