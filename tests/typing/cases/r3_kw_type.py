# wrongly typed summarizer option
from __future__ import annotations
from support import obs, shrink

shrink([obs], max_words="3")  # E: max_words / Literal["3"]
