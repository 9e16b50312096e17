# observed.text = derived.text
from __future__ import annotations
from support import der, obs

obs.text = der.text  # E: text
