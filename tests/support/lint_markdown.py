"""Programs in Markdown that say what the linter must find in them.

    ## a summary kept in a local variable

    The second round reads what the first one wrote.

    ```python
    def digest(llm, pages):
        memo = ""
        for page in pages:
            memo = llm.summarize(memo + page)  # finding: CTX001
    ```

A paragraph that names a file (`helpers.py`:) stands before the block of that file; a block without one is `main.py`.
`# finding: CTX001, CTX002` marks the first line of a finding's place; `# related: CTX001` a line that some finding of
that code must name as related. `<!-- known wrong: why -->` before the first block says that the marks state the right
answer and that today's answer is another one.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

DEFAULT_FILE = "main.py"
_KNOWN_WRONG = "known wrong:"


class Mark(NamedTuple):
    """A line of a program and the code that belongs there."""

    path: str
    line: int
    code: str


@dataclass(slots=True)
class Program:
    """One heading's program: its files and what must be found in them."""

    source: Path
    heading: str
    line: int
    files: dict[str, str] = field(default_factory=dict[str, str])
    known_wrong: str = ""

    @property
    def findings(self) -> frozenset[Mark]:
        """The lines marked `# finding:`."""
        return marks(self.files, "finding:")

    @property
    def related(self) -> frozenset[Mark]:
        """The lines marked `# related:`."""
        return marks(self.files, "related:")

    def write(self, folder: Path) -> None:
        """Lay the files out below `folder`."""
        for name, text in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def programs(path: Path) -> Iterator[Program]:
    """The programs of a Markdown file, in order. A heading without a block of code is no program."""
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    current: Program | None = None
    file, wrong = DEFAULT_FILE, ""
    for index, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            if current is not None and current.files:
                yield current
            line = token.map[0] + 1 if token.map else 0
            current, file, wrong = Program(path, tokens[index + 1].content, line), DEFAULT_FILE, ""
        elif token.type == "html_block":
            wrong = _comment(token.content) or wrong
        elif token.type == "inline":
            file = _named_file(token) or file
        elif token.type == "fence" and current is not None and token.info.split()[:1] != ["text"]:
            if file in current.files:
                raise AssertionError(f"{path}: {current.heading!r} has two blocks for {file}")
            current.files[file] = token.content
            current.known_wrong = current.known_wrong or wrong
            file = DEFAULT_FILE
    if current is not None and current.files:
        yield current


def marks(files: Mapping[str, str], kind: str) -> frozenset[Mark]:
    """The marks of one kind in the comments of `files`."""
    found: set[Mark] = set()
    for path, text in files.items():
        if not path.endswith(".py"):
            continue
        for line, comment in _comments(text):
            for part in comment.split("#"):
                if part.strip().startswith(kind):
                    codes = part.strip().removeprefix(kind).split(",")
                    found.update(Mark(path, line, code.strip()) for code in codes)
    return frozenset(found)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return


def _comment(html: str) -> str:
    inner = html.strip().removeprefix("<!--").removesuffix("-->").strip()
    return inner.removeprefix(_KNOWN_WRONG).strip() if inner.startswith(_KNOWN_WRONG) else ""


def _named_file(token: Token) -> str:
    """The file that a paragraph such as "`helpers.py`:" names, or nothing."""
    children = token.children or []
    if len(children) == 2 and children[0].type == "code_inline" and children[1].content.strip() == ":":
        return children[0].content
    return ""
