# dataclasses.replace(observed, text=derived.text)
from __future__ import annotations
from dataclasses import replace
from support import der, obs

replace(obs, text=der.text)  # E: ObservedSpan
