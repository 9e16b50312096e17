"""Property tests do not depend on the machine's load."""

from __future__ import annotations

import os

from hypothesis import settings

# In continuous integration the same change gives the same answer; elsewhere every run looks at new examples.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")
