# a derived span cast to an observed one
# differs from r1_upcast: a cast is believed
from __future__ import annotations
from typing import cast
from ctxcontracts import ObservedSpan
from support import buf, der, shrink

buf.rewrite(cast(ObservedSpan, der), shrink)  # E: nothing but the run sees it
