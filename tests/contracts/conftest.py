"""Each test of the contracts begins without derived texts: the default registry is one for the process."""

from __future__ import annotations

import pytest

from ctxcontracts.contracts import derivation
from ctxcontracts.contracts.derives import PROCESS_REGISTRY


@pytest.fixture(autouse=True)
def _nothing_derived_yet() -> None:
    derivation._HEARD.pop(PROCESS_REGISTRY, None)
    PROCESS_REGISTRY._by_id.clear()
    PROCESS_REGISTRY._by_digest.clear()
