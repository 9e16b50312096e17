# contracts over functions: each pair of revealed types is the same
from __future__ import annotations
from collections.abc import Sequence
from typing import reveal_type
from ctxcontracts import ObservedSpan
from ctxcontracts.contracts import all_observed, ensure, is_a_summary, require

def sync(spans: Sequence[ObservedSpan], limit: int = 3, /, *, loud: bool = False) -> str:
    return "x"


async def later(spans: Sequence[ObservedSpan], *options: int, loud: bool = False) -> str:
    return "x"


reveal_type(sync)
reveal_type(require(all_observed)(ensure(is_a_summary)(sync)))
reveal_type(later)
reveal_type(require(all_observed)(ensure(is_a_summary)(later)))
