# merge of observed spans: list, tuple, generator turned to list
from __future__ import annotations
from support import buf, obs, obs2, read_log, shrink

buf.rewrite([obs, obs2], shrink)
buf.rewrite((obs, obs2), shrink)
xs = [buf.observe(read_log(str(i))) for i in range(3)]
buf.rewrite(xs, shrink)
