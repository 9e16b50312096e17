"""Errors: three parts in the message and as fields, and the same error after a process pool."""

from __future__ import annotations

import copy
import inspect
import pickle

import pytest

from ctxcontracts import (
    CtxContractsError,
    Promise,
    Rejection,
    RewritePolicyError,
    SummaryRejected,
    WindowFullError,
    errors,
)
from ctxcontracts.errors import DerivedAgainError

ONE_OF_EACH: list[CtxContractsError] = [
    RewritePolicyError("f: no", promise=Promise.OBSERVED_ONLY, instead="do"),
    SummaryRejected("f: no", reason=Rejection.EMPTY, promise=Promise.NO_FAILED_SUMMARY, instead="do"),
    DerivedAgainError("f: no", earlier_id="a", earlier_function="g", earlier_when="now", instead="do"),
    WindowFullError("f: no", fills={"tool": 3}, instead="do"),
]


def test_a_message_says_what_happened_which_promise_and_what_instead() -> None:
    """On three lines; the parts are fields for programs."""
    error = ONE_OF_EACH[0]
    happened, promise, instead = str(error).split("\n")
    assert (happened, instead) == ("f: no", "  instead: do")
    assert promise == f"  this would break {Promise.OBSERVED_ONLY.value}"
    assert (error.happened, error.promise, error.instead) == ("f: no", Promise.OBSERVED_ONLY, "do")


def test_an_error_of_the_environment_may_break_no_promise() -> None:
    """Then its message has no such line."""
    assert str(CtxContractsError("the disk is full")) == "the disk is full"


@pytest.mark.parametrize("error", ONE_OF_EACH, ids=lambda error: type(error).__name__)
def test_an_error_survives_a_process_pool(error: CtxContractsError) -> None:
    """Whatever its constructor takes."""
    for back in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(back) is type(error)
        assert (str(back), vars(back)) == (str(error), vars(error))


def test_every_error_has_one_root_and_says_whose_fault_it_is() -> None:
    """One `except` catches all, and the documentation of each begins with the answer."""
    kinds = [kind for kind in vars(errors).values() if inspect.isclass(kind) and issubclass(kind, Exception)]
    assert all(issubclass(kind, (CtxContractsError, Warning)) for kind in kinds)
    assert all(kind.__doc__ for kind in kinds)
