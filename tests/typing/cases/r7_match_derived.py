# rewrite in the branch of a match for derived spans
# differs from r1_wrong_branch: narrowed by a class pattern
from __future__ import annotations
from ctxcontracts import AnySpan, DerivedSpan, ObservedSpan
from support import any_span, buf, shrink

def compact(span: AnySpan) -> None:
    match span:
        case ObservedSpan():
            buf.prune(span)
        case DerivedSpan():
            buf.rewrite(span, shrink)  # E: DerivedSpan


compact(any_span())
