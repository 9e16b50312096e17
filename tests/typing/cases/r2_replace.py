# dataclasses.replace(observed, text=other observed text)
from __future__ import annotations
from dataclasses import replace
from support import obs, read_log

replace(obs, text=read_log("x"))  # E: ObservedSpan
