# observe(user_text(rendered text))
# differs from r2_observe_render: through a door, which takes a str
from __future__ import annotations
from ctxcontracts import user_text
from support import buf

buf.observe(user_text(buf.render().text))  # E: DerivedTextCannotBecomeObserved
