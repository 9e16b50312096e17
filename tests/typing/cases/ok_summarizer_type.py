# decorated call keeps parameters, result is DerivedText
from __future__ import annotations
from typing import assert_type
from ctxcontracts import DerivedText
from support import obs, shrink

assert_type(shrink([obs]), DerivedText)
shrink([obs], 5)
shrink([obs], max_words=5)
