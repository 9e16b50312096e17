# Summarizer(...) by a user
from __future__ import annotations
from ctxcontracts import Summarizer
from support import plain

Summarizer(plain)  # E: positional argument / to be passed by name
