# a derived span appended to a list of observed ones
# differs from r1_list_alias: a method of the list, not an alias
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import buf, der, obs, shrink

kept: list[ObservedSpan] = [obs]
kept.append(der)  # E: DerivedSpan
buf.rewrite(kept, shrink)
