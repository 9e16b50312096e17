# spans and texts that are copied
# differs from ok_reobserve: copy and deepcopy keep the type
from __future__ import annotations
import copy
from support import buf, obs, obs2, shrink

buf.observe(copy.copy(obs.text))
buf.rewrite([copy.deepcopy(obs), copy.copy(obs2)], shrink)
