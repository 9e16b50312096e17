r"""One door from source text to an `ast.Module`: every way to fail leaves through `UnreadableError`.

    b"\xef\xbb\xbfx = 1\n"      -> a tree (the byte order mark is eaten)
    b"# -*- coding: nope -*-\n"  -> UnreadableError("unknown encoding ...")
    "x = (\n"                    -> UnreadableError("'(' was never closed", line=1)

The grammar is that of the running Python. What only a newer one accepts is written in an older way first
(`ctxlint.syntax.newer`, and in a process that may be lost `ctxlint.syntax.downlevel`), so that there is one lowering
and not two.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
import warnings

from ctxlint.errors import NewerSyntaxError, UnreadableError
from ctxlint.syntax.newer import older

_NEWER = re.compile(
    r"""(?<!\w)(?:[ft]r?|rf|rt)["']|\b(?:type[ \t]+\w|lazy[ \t]|except\b.*,)|\b(?:def|class)[ \t]+\w+\s*\["""
    r"|[\[({]\s*\*",
    re.IGNORECASE,
)
"""What newer syntax begins like: texts in texts, templates, types, lazy imports, kinds without brackets, spreads."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile("'([^']*)'")
_PYTHON_2 = frozenset({"print", "exec"})


def parse_module(source: bytes | str, path: str, *, newest: bool = False) -> ast.Module:
    """The syntax tree of one file.

    Args:
        source: The file's content; bytes are decoded after their byte order mark or encoding cookie.
        path: Only for the positions in syntax errors; the file is not opened.
        newest: Read by libcst what this Python refuses, where that is installed. It may crash or hang.

    Raises:
        NewerSyntaxError: When the text may be Python that only libcst reads.
        UnreadableError: When the text cannot be decoded or is no Python that this interpreter reads.
    """
    text = decode(source) if isinstance(source, bytes) else source.removeprefix("\ufeff")
    if "\0" in text:
        raise UnreadableError("the file holds null bytes", line=_line(text[: text.index("\0")]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _parsed(text, path)
        except SyntaxError as error:
            if newest:
                tree = _by_libcst(text)
                if tree is not None:
                    return tree
            kind = NewerSyntaxError if not newest and _NEWER.search(text) else UnreadableError
            raise kind(_reason(error), line=error.lineno or 1) from error
        except RecursionError as error:
            raise UnreadableError("the code is nested too deeply to parse") from error
        except MemoryError as error:
            raise UnreadableError("the parser ran out of memory") from error
        except ValueError as error:
            raise UnreadableError("the parser refused the text") from error


def _parsed(text: str, path: str) -> ast.Module:
    try:
        return ast.parse(text, filename=path)
    except SyntaxError as error:
        rewritten = older(text)
        if rewritten != text:
            try:
                return ast.parse(rewritten, filename=path)
            except SyntaxError:
                raise error from None
        raise


def _by_libcst(text: str) -> ast.Module | None:
    """The tree of a text that this Python refuses, None where libcst is not installed or refuses it, too."""
    try:
        from ctxlint.syntax.downlevel import brought_down  # noqa: PLC0415 - 0.2 s that few files need

        return brought_down(text)
    except (ImportError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def decode(source: bytes) -> str:
    """The text of a Python source file, by PEP 263.

    Raises:
        UnreadableError: When the named encoding is unknown or the bytes do not fit it.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        if "unknown encoding" in str(error.msg):
            raise UnreadableError("unknown encoding in the file's coding line") from error
        # Either a byte in the first two lines, and then its line is known, or two encodings in one file.
        _decoded(source, "utf-8")
        raise UnreadableError("the file's coding line names another encoding than its byte order mark") from error
    return io.IncrementalNewlineDecoder(None, translate=True).decode(_decoded(source, encoding), final=True)


def _decoded(source: bytes, encoding: str) -> str:
    try:
        return source.decode(encoding)
    except UnicodeError as error:
        # Some codecs raise the parent class, which does not know where.
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = _line(source[:start].decode("latin-1"))
        raise UnreadableError(f"the bytes are not valid {encoding}", line=line) from error
    except LookupError as error:
        raise UnreadableError("unknown encoding in the file's coding line") from error


def _line(before: str) -> int:
    """The line that begins or goes on behind `before`, whatever ends the lines."""
    return len(_LINE_END.split(before))


def _reason(error: SyntaxError) -> str:
    """What Python says, without the words of the file that it quotes."""

    def kept(quoted: re.Match[str]) -> str:
        word = quoted[1]
        plain = word in _PYTHON_2 or keyword.iskeyword(word) or not any(map(str.isalnum, word))
        return quoted[0] if plain else "'...'"

    return _QUOTED.sub(kept, error.msg or "invalid syntax")
