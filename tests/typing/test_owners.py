"""No hole without an owner: what happens to each must-fail case beside the type checkers."""

from __future__ import annotations

import pytest

from tests.support.guard_runs import is_ours, refusal
from tests.support.lint_cases import findings
from tests.support.verdicts import must_fail, must_pass

# Nothing derived moves in these: the fault is one of types, and at run time there is nothing to refuse.
HARMLESS = {
    "r2_door_fstring": "the placeholder of derived text holds none of it",
    "r2_door_str": "the placeholder of derived text holds none of it",
    "r3_result_as_str": "a name holds derived text under a wrong annotation",
    "r4_generation_two": "a name holds 1 under a wrong annotation",
    "r7_any_json": "the text is none of a summarizer",
}
# A part of a new `str` without a mark: an exposed text is copied character by character, and more stands beside it.
# The buffer notices a whole text that comes back (it warns); these the plugin or the linter see.
NEW_STR = {
    "r6_door_generator",
    "r6_door_joined_list",
    "r6_door_lambda",
    "r6_door_loop_formatted",
    "r6_helper_formats",
}
# Nothing is refused in these: the buffer takes the text, and warns that a whole summary came back.
ONLY_WARNED = {
    "r2_door_expose_fstring",
    "r6_door_global",
    "r6_door_in_helper",
    "r6_door_json",
    "r6_door_queue",
    "r6_door_replaced",
}


@pytest.mark.parametrize("case", must_fail())
def test_where_the_run_only_warns_it_says_so(case: str) -> None:
    """A warning is no refusal: which cases get no more than one is written down, and the table names it."""
    assert (refusal(case) == "ReentryWarning") == (case in ONLY_WARNED)


@pytest.mark.parametrize("case", must_fail())
def test_a_run_refuses_or_warns_of_what_must_fail(case: str) -> None:
    """Whatever the checkers say, the run ends in an error or in our warning, if not by Python then by us."""
    refused = bool(refusal(case))
    assert refused == (case not in HARMLESS and case not in NEW_STR)


@pytest.mark.parametrize("case", [case for case in must_fail() if case.startswith("r6_")])
def test_ways_round_are_refused_or_warned_of_by_us(case: str) -> None:
    """A way round the front door ends in an error or a warning of ours, which says what to write instead."""
    assert is_ours(refusal(case)) or case in NEW_STR


NEEDS_A_PERSON = {"ok_agent_turn", "ok_ask_about_summary", "ok_observe_user", "ok_reassigned"}
# They use a span twice to show two calls.
TWICE = {"ok_merge_list", "ok_store", "ok_summarizer_options"}


@pytest.mark.parametrize("case", [case for case in must_pass() if case not in NEEDS_A_PERSON | TWICE])
def test_no_guard_refuses_what_must_pass(case: str) -> None:
    """A right program runs."""
    assert refusal(case) == ""


# What is derived in these is a span that another file made: the types tell, and a file alone does not.
OF_ANOTHER_FILE = {"r6_option_derived_text", "r6_option_object"}
# The rule follows variables, helpers and methods of `str`: no containers but lists, no `global`, no `yield`.
NOT_FOLLOWED = {
    "r6_door_generator",
    "r6_door_global",
    "r6_door_json",
    "r6_door_queue",
    "r6_door_reduced",
    "r6_door_replaced",
}


@pytest.mark.parametrize("case", [case for case in must_fail() if case.startswith("r6_")])
def test_the_linter_reports_ways_round(case: str) -> None:
    """A way round the front door is seen, whatever the type of the text has become."""
    told = {"r6_derives_again": "CTX002"}.get(case, "CTX101")
    assert (told in findings()[case]) == (case not in OF_ANOTHER_FILE | NOT_FOLLOWED)


@pytest.mark.parametrize("case", must_pass())
def test_the_linter_reports_nothing_right(case: str) -> None:
    """A right program gets no finding."""
    assert findings()[case] == set()
