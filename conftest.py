"""The examples of the README and the pages run as tests; property tests do not depend on the machine's load."""

from __future__ import annotations

import os

from hypothesis import settings
from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

# In continuous integration the same change gives the same answer; elsewhere every run looks at new examples.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

pytest_collect_file = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()], patterns=["README.md", "docs/*.md", "docs/design/*.md"]
).pytest()
