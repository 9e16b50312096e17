# summarizer called on a derived span
from __future__ import annotations
from support import der, shrink

shrink([der])  # E: DerivedSpan
