# wrong argument of a function under a contract
# differs from r1_upcast: the function is under a contract of icontract, whose decorator could widen it
from __future__ import annotations
from ctxcontracts import ObservedSpan
from ctxcontracts.contracts import all_observed, require
from support import der

@require(all_observed, call="one(spans)")
def one(spans: ObservedSpan) -> str:
    return "x"


one(der)  # E: DerivedSpan
