# observe("{}".format(derived.text))
from __future__ import annotations
from support import buf, der

buf.observe("note {}".format(der.text))  # E: "str" / `str`
