# a helper that goes through a door, given a text that was exposed and formatted
# differs from r6_helper_formats: the parameter is a str, and nothing comes back
from __future__ import annotations
from ctxcontracts import expose, external_text
from support import buf, der

def remember(**given: str) -> None:
    buf.observe(external_text(given["text"], url="https://example.com"))


remember(text=f"{expose(der.text)}")  # E: ctx-launder
