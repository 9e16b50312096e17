"""The rule over a libcst module. That it agrees with the engine is tested on every program in Markdown."""

from __future__ import annotations

import subprocess
import sys

import ctxlint
import libcst
import pytest
from ctxlint import check_module
from ctxlint.finding import StepRole
from ctxlint.models import load_models

DRIFT = """\
def digest(llm, pages):
    memo = ""
    for page in pages:
        memo = llm.summarize(memo + page)
    return memo
"""


def _code(node: libcst.CSTNode) -> str:
    return libcst.Module([]).code_for_node(node)


def _nodes(module: libcst.Module) -> set[int]:
    found: set[int] = set()

    class Collector(libcst.CSTVisitor):
        def on_visit(self, node: libcst.CSTNode) -> bool:
            found.add(id(node))
            return True

    module.visit(Collector())
    return found


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(DRIFT, id="plain"),
        pytest.param(DRIFT.replace("\n", "\r\n"), id="crlf"),
        pytest.param(DRIFT.replace("    memo = llm", "    메모 = '日本'; memo = llm"), id="characters-not-bytes"),
        pytest.param(DRIFT.replace("llm.summarize(memo + page)", "(llm.summarize(memo + page))"), id="parentheses"),
        pytest.param("\f\n" + DRIFT, id="form-feed"),
        pytest.param("\ufeff" + DRIFT, id="byte-order-mark"),
        pytest.param(DRIFT.replace("memo + page", "\n            memo\n            + page\n        "), id="lines"),
    ],
)
def test_the_node_is_the_call_in_the_module_that_was_passed(source: str) -> None:
    """A codemod can replace it: it is the caller's own node, at the finding's place."""
    module = libcst.parse_module(source.encode())
    [found] = check_module(module)
    assert isinstance(found.node, libcst.Call)
    assert _code(found.node.func) == "llm.summarize"
    assert id(found.node) in _nodes(module)
    assert found.finding.code == "CTX001"


def test_steps_have_nodes() -> None:
    """The ends of the path are the call itself."""
    [found] = check_module(libcst.parse_module(DRIFT))
    [flow, *_] = found.finding.flows
    assert len(found.steps) == len(flow)
    assert flow[0].role is StepRole.WRITTEN
    assert found.steps[0] is found.node
    assert found.steps[-1] is found.node


def test_the_path_is_what_the_caller_says() -> None:
    """Findings name the file as the caller does."""
    [found] = check_module(libcst.parse_module(DRIFT), path="app/memory.py", models=load_models())
    assert found.finding.place.path == "app/memory.py"


def test_suppressed_findings_are_left_out() -> None:
    """The same comments count here as on the command line."""
    quiet = DRIFT.replace("+ page)", "+ page)  # ctxlint: ignore[CTX001] a test needs it")
    assert check_module(libcst.parse_module(quiet)) == []


def test_a_module_made_by_hand_is_checked() -> None:
    """Codemods check what they have built, not only what they have read."""
    module = libcst.parse_module("def digest(llm, pages):\n    pass\n")
    body = libcst.parse_module(DRIFT).body[0]
    assert len(check_module(module.with_changes(body=[body]))) == 1


def test_an_empty_module_has_no_finding() -> None:
    """Nothing in, nothing out."""
    assert check_module(libcst.parse_module("")) == []


def test_a_place_without_a_node_of_its_own_gets_the_smallest_around_it() -> None:
    """A region that libcst cuts otherwise still leads to a node."""
    from ctxlint.finding import Place
    from ctxlint.libcst_rule import _Nodes

    nodes = _Nodes(libcst.parse_module(DRIFT))
    assert _code(nodes.call(Place("m.py", 4, 15, 4, 20))) == "llm.summarize(memo + page)"
    assert isinstance(nodes.call(Place("m.py", 99, 0, 99, 0)), libcst.Module)


def test_the_package_has_nothing_else_to_load() -> None:
    """A typing error in a name is an ordinary AttributeError."""
    with pytest.raises(AttributeError, match="no attribute 'check_modul'"):
        ctxlint.check_modul  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("hidden", "module", "extra"),
    [
        pytest.param("libcst", "ctxlint.libcst_rule", "ctxcontracts[lint]", id="libcst"),
        pytest.param("fixit", "ctxlint.fixit_rule", "ctxcontracts[fixit]", id="fixit"),
        pytest.param("pathspec", "ctxlint.discover.ignore", "ctxcontracts[lint]", id="pathspec"),
    ],
)
def test_a_missing_extra_is_named(hidden: str, module: str, extra: str) -> None:
    """The message is the command to run."""
    use = "ignore.compiled(['x'])" if hidden == "pathspec" else "None"
    code = (
        f"import sys; sys.modules[{hidden!r}] = None\n"
        "from ctxlint.errors import UsageError\n"
        f"try:\n    import {module}\n    from ctxlint.discover import ignore\n    {use}\n"
        "except UsageError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert f'pip install "{extra}"' in done.stdout
