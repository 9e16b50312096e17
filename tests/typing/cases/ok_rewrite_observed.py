# rewrite of an observed span gives a derived one
from __future__ import annotations
from typing import assert_type
from ctxcontracts import DerivedSpan
from support import buf, obs, shrink

assert_type(buf.rewrite(obs, shrink), DerivedSpan)
