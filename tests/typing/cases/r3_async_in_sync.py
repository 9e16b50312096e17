# async summarizer given to rewrite
from __future__ import annotations
from support import ashrink, buf, obs

buf.rewrite(obs, ashrink)  # E: AsyncSummarizer
