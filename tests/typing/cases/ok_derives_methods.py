# @derives over methods, on either side of staticmethod and classmethod
# differs from ok_derives_signatures: over methods of every kind
from __future__ import annotations
from typing import assert_type
from ctxcontracts import derives

class Agent:
    @derives
    def compact(self, messages: list[str]) -> str:
        return "x"

    @derives(mark=False)
    async def compact_later(self, messages: list[str]) -> str:
        return "x"

    @staticmethod
    @derives
    def short(messages: list[str]) -> str:
        return "x"

    @derives
    @staticmethod
    def shorter(messages: list[str]) -> str:
        return "x"

    @classmethod
    @derives
    def made(cls, messages: list[str]) -> str:
        return "x"


async def main() -> None:
    agent = Agent()
    assert_type(agent.compact([]), str)
    assert_type(await agent.compact_later([]), str)
    assert_type(Agent.short([]), str)
    assert_type(Agent.shorter([]), str)
    assert_type(Agent.made([]), str)
