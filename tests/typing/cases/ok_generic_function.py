# spans through generic functions of the user
# differs from ok_annotated_fn: the kind is kept by a type variable
from __future__ import annotations
from collections.abc import Sequence
from typing import TypeVar, assert_type
from ctxcontracts import AnySpan, DerivedSpan, ObservedSpan
from support import buf, der, obs, shrink

S = TypeVar("S", bound=AnySpan)


def newest(spans: Sequence[S]) -> S:
    return spans[-1]


assert_type(newest([obs]), ObservedSpan)
assert_type(newest([der]), DerivedSpan)
buf.rewrite(newest([obs]), shrink)
