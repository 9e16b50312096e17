# observe(json.dumps({.. derived.text}))
from __future__ import annotations
import json
from support import buf, der

buf.observe(json.dumps({"t": der.text}))  # E: ObservedText
