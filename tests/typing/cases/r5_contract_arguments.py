# wrong argument of a function under a contract
from __future__ import annotations
from ctxcontracts import ObservedSpan
from ctxcontracts.contracts import all_observed, require
from support import der

@require(all_observed, call="one(spans)")
def one(spans: ObservedSpan) -> str:
    return "x"


one(der)  # E: DerivedSpan
