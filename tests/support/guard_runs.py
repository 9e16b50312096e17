"""What happens when a typing case is run: whether our guard refuses it, or Python itself, or nobody.

A case whose fault only shows in a call says which, in a line `# run: EXPRESSION`, which no checker reads.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from types import ModuleType

from ctxcontracts import CtxContractsError
from ctxcontracts.errors import ReentryWarning
from tests.support.type_checkers import CASES

_RUN = re.compile(r"^# run: (.+)$", re.MULTILINE)


@cache
def refusal(case: str) -> str:
    """The class of the error that running a case raises, or of the warning about a text that comes back, or nothing.

    Args:
        case: its name.
    """
    text = (CASES / f"{case}.py").read_text(encoding="utf-8")
    module = ModuleType(case)
    with (
        warnings.catch_warnings(),
        _in_cases(module),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("error", ReentryWarning)
        try:
            exec(compile(text, f"{case}.py", "exec"), module.__dict__)
            for expression in _RUN.findall(text):
                eval(expression, {"asyncio": asyncio, **vars(importlib.import_module("support")), **module.__dict__})
        except (CtxContractsError, ReentryWarning, TypeError, AttributeError) as error:
            return type(error).__name__
    return ""


def is_ours(refused: str) -> bool:
    """Whether an error class is one of the library's."""
    return refused not in {"", "TypeError", "AttributeError"}


@contextlib.contextmanager
def _in_cases(module: ModuleType) -> Iterator[None]:
    """What surrounds a running case: a `support` whose buffer no other case has touched, and a folder of its own."""
    sys.path.insert(0, str(CASES))
    sys.modules.pop("support", None)
    sys.modules[module.__name__] = module
    importlib.invalidate_caches()
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            yield
    finally:
        sys.path.remove(str(CASES))
        for name in ("support", module.__name__):
            sys.modules.pop(name, None)
