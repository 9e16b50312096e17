# rewrite passed as a callback over any span
# differs from r1_bound_method: the alias is a Callable type of the user
from __future__ import annotations
from collections.abc import Callable
from ctxcontracts import AnySpan, DerivedSpan, Summarizer
from support import buf, der, shrink

edit: Callable[[AnySpan, Summarizer[...]], DerivedSpan] = buf.rewrite  # E: ObservedSpan
edit(der, shrink)
