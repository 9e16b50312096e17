# summarizer(lambda ...) over a derived span
# differs from r6_closure_span: a lambda, which has no statement and no decorator
from __future__ import annotations
from ctxcontracts import expose, summarizer
from support import buf, der, obs

buf.rewrite(obs, summarizer(lambda spans: expose(der.text)))  # E: ctx-rewrite
