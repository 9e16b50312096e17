# observe(user_text(text of a summary in a journal))
# differs from r2_door_expose: the text comes out of a record of the journal
from __future__ import annotations
from ctxcontracts import user_text
from ctxcontracts.coldstore import Rewritten
from support import buf

for entry in buf.store.journal(buf.session):
    if isinstance(entry, Rewritten):
        buf.observe(user_text(entry.record.text))  # E: DerivedTextCannotBecomeObserved
