"""What a project adds in `[tool.ctxlint] models`, through the command as a user runs it."""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path

import pytest
from ctxlint.cli import main
from ctxlint.errors import UsageError
from ctxlint.models import load_models

SHIPPED = ["llm.toml", "words.toml", "flow.toml"]
LOOP = """\
# keeps one summary of all pages
def keep(desk, pages):
    memo = ""
    for page in pages:
        memo = desk.{method}("{ask}" + memo + page)
    return memo
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("NO_COLOR", "1")


def _project(folder: Path, source: str, model: str | None) -> Path:
    (folder / "app.py").write_text(source)
    (folder / "pyproject.toml").write_text('[tool.ctxlint]\nmodels = ["own.toml"]\n')
    if model is not None:
        (folder / "own.toml").write_text(model)
    return folder


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_file_can_be_loaded_again_as_a_projects_own(name: str, tmp_path: Path) -> None:
    """A copy of any of our files is a valid start for one's own, and adds nothing that was not there."""
    copy = tmp_path / name
    copy.write_text((resources.files("ctxlint.models") / name).read_text("utf-8"))
    plain, joined = load_models(), load_models([copy])
    assert joined.words == plain.words
    assert joined.flow == plain.flow
    assert joined.by_function == plain.by_function
    assert joined.by_method.keys() == plain.by_method.keys()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_list_says_nothing_of_the_wrong_kind(name: str) -> None:
    """Each item is a text without blanks at its ends, and no list is empty."""
    table = tomllib.loads((resources.files("ctxlint.models") / name).read_text("utf-8"))
    lists = [value for value in table.values() if isinstance(value, list)]
    lists += [inner for value in table.values() if isinstance(value, dict) for inner in value.values()]
    lists += [inner for entry in table.get("llm", ()) for inner in entry.values() if isinstance(inner, list)]
    assert lists
    for each in lists:
        assert each
        assert all(item == item.strip() for item in each if isinstance(item, str))


def test_every_shipped_llm_entry_says_what_it_is_about() -> None:
    """A reader of the file knows which documentation to look in."""
    assert all(entry.about for entry in load_models().llm)


def test_without_the_model_nothing_is_found(tmp_path: Path) -> None:
    """The programs below are silent until their project says what its calls mean."""
    source = LOOP.format(method="tell", ask="Summarize: ") + LOOP.format(method="boil", ask="")
    (tmp_path / "app.py").write_text(source)
    assert main([str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("model", "method", "ask"),
    [
        pytest.param('[[llm]]\nmethods = ["tell"]\nwords = ["desk"]\n', "tell", "Summarize: ", id="llm-by-word"),
        pytest.param('[[llm]]\nmethods = ["tell"]\npath = ["desk"]\n', "tell", "Summarize: ", id="llm-by-path"),
        pytest.param('verbs = ["boil"]\n', "boil", "", id="verb"),
        pytest.param(
            'commands = ["boil"]\n[[llm]]\nmethods = ["tell"]\nwords = ["desk"]\n',
            "tell",
            "Boil down: ",
            id="command",
        ),
    ],
)
def test_a_projects_model_makes_a_site(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], model: str, method: str, ask: str
) -> None:
    """The words of the project count like ours."""
    _project(tmp_path, LOOP.format(method=method, ask=ask), model)
    assert main([str(tmp_path)]) == 1
    assert "CTX001" in capsys.readouterr().out


def test_a_projects_function_and_class_make_a_site(tmp_path: Path) -> None:
    """A function as it is imported, and the last name of a class."""
    model = '[[llm]]\nfunctions = ["house.ask"]\n[[llm]]\nmethods = ["tell"]\nclasses = ["Oracle"]\n'
    source = "from house import Oracle, ask\n" + LOOP.replace("desk.{method}(", "ask(").format(ask="Summarize: ")
    assert main([str(_project(tmp_path, source, model))]) == 1
    source = "from house import Oracle\ndesk = Oracle()\n" + LOOP.replace("desk, ", "").format(
        method="tell", ask="Summarize: "
    )
    assert main([str(_project(tmp_path, source, model))]) == 1


def test_a_projects_keywords_refuse_a_call(tmp_path: Path) -> None:
    """A call that shows that it is something else is no call of a model."""
    model = '[[llm]]\nmethods = ["tell"]\nwords = ["desk"]\nrefuse = ["loudly"]\nkeywords = ["text"]\n'
    source = LOOP.replace('("{ask}" + memo + page)', '({words}text="Summarize: " + memo + page)')
    assert main([str(_project(tmp_path, source.format(method="tell", words=""), model))]) == 1
    assert main([str(_project(tmp_path, source.format(method="tell", words="loudly=True, "), model))]) == 0
    other = source.replace("text=", "line=")
    assert main([str(_project(tmp_path, other.format(method="tell", words=""), model))]) == 0


def test_a_projects_marker_makes_a_site(tmp_path: Path) -> None:
    """The function that wears it is a summarizer, whatever it is called."""
    source = "from house import boils\n\n\n@boils\ndef fold(text):\n    return text[:9]\n\n\n" + LOOP.replace(
        'desk.{method}("{ask}" + memo + page)', "fold(memo + page)"
    )
    model = '[markers]\ndecorators = ["boils"]\nmodules = ["house"]\n'
    assert main([str(_project(tmp_path, source, model))]) == 1
    assert main([str(_project(tmp_path, source.replace("from house", "from other"), model))]) == 0


BROKEN = [
    pytest.param("verbs = [1]\n", ["verbs", "list of strings"], id="wrong-type"),
    pytest.param("verb = ['boil']\n", ["'verb'"], id="unknown-key"),
    pytest.param("[markers]\ndecorator = ['x']\n", ["[markers]", "'decorator'", "decorators"], id="unknown-field"),
    pytest.param("[state]\nnames = 'x'\n", ["names", "list of strings"], id="wrong-type-in-a-table"),
    pytest.param("[[llm]]\nmethods = ['x']\nword = ['y']\n", ["[[llm]]", "'word'", "words"], id="unknown-llm-field"),
    pytest.param("[[llm]]\nmethods = 'x'\nwords = ['y']\n", ["methods", "list of strings"], id="wrong-llm-type"),
    pytest.param("[[llm]]\nwords = ['y']\n", ["[[llm]]", "functions"], id="llm-without-a-call"),
    pytest.param("[llm]\nmethods = ['x']\n", ["[[llm]]"], id="llm-as-a-table"),
    pytest.param("calls = ['x']\n", ["[[calls]]"], id="calls-as-a-list"),
    pytest.param(
        "[[calls]]\nname = 'x'\nfunction = 0\nposition = 1\n", ["[[calls]]", "position"], id="unknown-call-field"
    ),
    pytest.param("[[calls]]\nname = 'x'\nfunction = '0'\n", ["[[calls]]", "position"], id="wrong-call-type"),
    pytest.param("[[calls]]\nfunction = 0\n", ["[[calls]]", "name"], id="call-without-a-name"),
    pytest.param("[[calls]]\nname = ''\nfunction = 0\n", ["[[calls]]", "name"], id="call-with-an-empty-name"),
    pytest.param("[[calls]]\nname = 'x'\nfunction = true\n", ["[[calls]]", "position"], id="position-that-is-true"),
    pytest.param("[[calls]]\nname = 'x'\nfunction = -1\n", ["[[calls]]", "position"], id="position-before-the-first"),
    pytest.param(
        "[[calls]]\nname = 'x'\nfunction = 0\nelements = 'no'\n",
        ["elements", "true or false"],
        id="elements-as-a-text",
    ),
    pytest.param(
        "[[calls]]\nname = 'x'\nfunction = 0\nagain = 1\n", ["again", "true or false"], id="again-as-a-number"
    ),
    pytest.param(
        "[[calls]]\nname = 'x'\nfunction = 0\nreturns = 'bogus'\n", ["returns", "argument"], id="unknown-result"
    ),
    pytest.param("[[llm]]\nfunctions = ['x']\nabout = 3\n", ["about", "string"], id="about-as-a-number"),
    pytest.param("templates = 3\n", ["[templates]", "classes"], id="table-as-a-number"),
    pytest.param("verbs = [\n", ["not valid TOML"], id="no-toml"),
    pytest.param(None, ["cannot be read", "No such file"], id="missing"),
]


@pytest.mark.parametrize(("model", "named"), BROKEN)
def test_a_broken_model_file_ends_the_run_with_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], model: str | None, named: list[str]
) -> None:
    """Exit code 2, and the message says which file and which key."""
    _project(tmp_path, "x = 1\n", model)
    assert main([str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert str(tmp_path / "own.toml") in told
    assert [word for word in named if word not in told] == []
    assert "Traceback" not in told


def test_a_folder_is_no_model_file(tmp_path: Path) -> None:
    """The error names it."""
    with pytest.raises(UsageError, match="cannot be read") as caught:
        load_models([tmp_path])
    assert str(tmp_path) in str(caught.value)
