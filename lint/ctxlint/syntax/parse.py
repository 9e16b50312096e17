r"""One door from source text to an `ast.Module`: every way to fail leaves through `UnreadableError`.

    b"\xef\xbb\xbfx = 1\n"      -> a tree (the byte order mark is eaten)
    b"# -*- coding: nope -*-\n"  -> UnreadableError("unknown encoding ...")
    "x = (\n"                    -> UnreadableError("'(' was never closed", line=1)

The grammar is that of the running Python. What a newer grammar would accept is refused here; a reader of newer
syntax takes its place inside `parse_module`, so that there is one lowering and not two.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings

from ctxlint.errors import UnreadableError


def parse_module(source: bytes | str, path: str) -> ast.Module:
    """The syntax tree of one file.

    Args:
        source: The file's content; bytes are decoded after their byte order mark or encoding cookie.
        path: Only for the positions in syntax errors; the file is not opened.

    Raises:
        UnreadableError: When the text cannot be decoded or is no Python that this interpreter reads.
    """
    text = decode(source) if isinstance(source, bytes) else source.removeprefix("\ufeff")
    if "\0" in text:
        raise UnreadableError("the file holds null bytes", line=text.count("\n", 0, text.index("\0")) + 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text, filename=path)
        except SyntaxError as error:
            raise UnreadableError(error.msg or "invalid syntax", line=error.lineno or 1) from error
        except RecursionError as error:
            raise UnreadableError("the code is nested too deeply to parse") from error
        except MemoryError as error:
            raise UnreadableError("the parser ran out of memory") from error
        except ValueError as error:
            raise UnreadableError("the parser refused the text") from error


def decode(source: bytes) -> str:
    """The text of a Python source file, by PEP 263.

    Raises:
        UnreadableError: When the named encoding is unknown or the bytes do not fit it.
    """
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as error:
        raise UnreadableError(error.msg or "unknown encoding") from error
    try:
        text = source.decode(encoding)
    except UnicodeError as error:
        # Some codecs raise the parent class, which does not know where.
        start = error.start if isinstance(error, UnicodeDecodeError) else 0
        line = source.count(b"\n", 0, start) + 1
        raise UnreadableError(f"the bytes are not valid {encoding}", line=line) from error
    except LookupError as error:
        raise UnreadableError(f"unknown encoding {encoding}") from error
    return io.IncrementalNewlineDecoder(None, translate=True).decode(text, final=True)
