"""The commands for SQLite stores: sessions, show, verify, export, import, forget.

Each prints for people, or one JSON document with `--json`. Exit codes: 0 all well, 1 damage was found, 2 it could not
be done, with the reason on the error output. No text of a span is printed unless it is asked for.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcontracts.coldstore.export import exported, imported
from ctxcontracts.coldstore.sqlite import SQLiteStore
from ctxcontracts.errors import ColdStoreError, CtxContractsError
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.spans.span import AnySpan, DerivedSpan, record_of_derived, record_of_observed

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - no public name

OK, DAMAGED, FAILED = 0, 1, 2


def add_commands(commands: Commands) -> None:
    """Adds the commands to a command line; each leaves the function that carries it out under `run`."""
    _command(commands, "sessions", sessions, "list the sessions of a store")
    show_ = _command(commands, "show", show, "show what a session was made from, as a tree")
    show_.add_argument("session", help="the name of the session")
    show_.add_argument("--text", action="store_true", help="print the texts too")
    verify_ = _command(commands, "verify", verify, "look for damage; exit with 1 where there is some")
    verify_.add_argument("--sample", type=float, default=1.0, help="the share that is read, from 0 to 1")
    export_ = _command(commands, "export", export, "write a session as JSON lines, with its texts")
    export_.add_argument("session", help="the name of the session")
    export_.add_argument("--output", type=Path, help="the file; the standard output when left out")
    import_ = _command(commands, "import", import_session, "put an exported session into a store")
    import_.add_argument("file", type=Path, nargs="?", help="what export wrote; the standard input when left out")
    forget_ = _command(commands, "forget", forget, "remove originals for good, with what was made from them")
    forget_.add_argument("ids", nargs="+", help="the ids of the originals")
    forget_.add_argument("--reason", required=True, help="why; it is kept for ever")


def _command(commands: Commands, name: str, run: Callable[..., int], says: str) -> argparse.ArgumentParser:
    command = commands.add_parser(name, help=says)
    command.add_argument("store", type=Path, help="the file of the store")
    command.add_argument("--namespace", default="", help="the namespace in it")
    command.add_argument("--json", action="store_true", help="print JSON")
    command.set_defaults(run=run)
    return command


def run(given: argparse.Namespace) -> int:
    """Carries out a command, and gives the exit code."""
    try:
        if not given.store.is_file() and given.run is not import_session:
            raise ColdStoreError(f"there is no store {given.store}", instead="name the file of a store")
        with SQLiteStore(given.store, namespace=given.namespace) as store:
            code: int = given.run(store, given)
            return code
    except (CtxContractsError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return FAILED


def _told(given: argparse.Namespace, document: object, lines: Iterator[str]) -> None:
    if given.json:
        sys.stdout.write(f"{json.dumps(document)}\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in lines)


def sessions(store: SQLiteStore, given: argparse.Namespace) -> int:
    """The names of the sessions."""
    names = store.sessions()
    _told(given, {"sessions": names}, iter(names))
    return OK


def show(store: SQLiteStore, given: argparse.Namespace) -> int:
    """The live spans of a session, each with its sources below it."""
    from ctxcontracts.buffer.buffer import ContextBuffer  # noqa: PLC0415 - it brings the contracts, which are slow

    if given.session not in store.sessions():
        raise ColdStoreError(f"the store holds no session {given.session!r}", instead="see `sessions`")
    buffer = ContextBuffer(store, session=given.session)
    tree = [_branch(span, store, text=given.text) for span in buffer.spans]
    document = {"session": given.session, "tokens": buffer.tokens, "live": tree}
    _told(given, document, _drawn(document))
    return OK


def _branch(span: AnySpan, store: SQLiteStore, *, text: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": span.id, "tokens": span.tokens}
    if isinstance(span, DerivedSpan):
        record = record_of_derived(span)
        fields |= {"kind": "derived", "by": record.summarizer, "characters": len(record.text)}
        fields["sources"] = [_branch(store.fetch(source), store, text=text) for source in span.sources]
        content = str.__str__(record.text)
    else:
        original = record_of_observed(span)
        content = original.text
        fields |= {"kind": "observed", "origin": original.origin, "characters": len(content)}
        fields |= {"pinned": original.pinned, "informed_by": original.informed_by}
    return fields | {"text": content} if text else fields


def _drawn(document: dict[str, Any]) -> Iterator[str]:
    yield f"{document['session']}: {len(document['live'])} live spans, {document['tokens']} tokens"
    for branch in document["live"]:
        yield from _drawn_branch(branch, "  ")


def _drawn_branch(branch: dict[str, Any], indent: str) -> Iterator[str]:
    by = f"by {branch['by']}" if branch["kind"] == "derived" else f"from {branch['origin']}"
    size = f"{branch['characters']} characters, {branch['tokens']} tokens"
    yield f"{indent}{branch['id']}  {branch['kind']} {by}, {size}"
    if "text" in branch:
        yield from (f"{indent}  | {_printable(line)}" for line in branch["text"].splitlines())
    for source in branch.get("sources", ()):
        yield from _drawn_branch(source, f"{indent}  ")


def _printable(line: str) -> str:
    """A line of somebody's text, with what a terminal would obey or refuse written as an escape."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in line)


def verify(store: SQLiteStore, given: argparse.Namespace) -> int:
    """All damage of a store."""
    found = store.verify(sample=given.sample)
    document = {"ok": not found, "damage": [damage._asdict() for damage in found]}
    _told(given, document, iter([f"{damage.where}: {damage.what}" for damage in found] or ["no damage was found"]))
    return DAMAGED if found else OK


def export(store: SQLiteStore, given: argparse.Namespace) -> int:
    """A session as JSON lines. They are JSON with and without `--json`."""
    lines = [f"{line}\n" for line in exported(store, given.session)]
    if given.output is None:
        sys.stdout.writelines(lines)
    else:
        given.output.write_text("".join(lines), encoding="utf-8")
    return OK


def import_session(store: SQLiteStore, given: argparse.Namespace) -> int:
    """An exported session, in a store where it is new."""
    if given.file is None:
        name = imported(store, sys.stdin)
    else:
        with given.file.open(encoding="utf-8") as lines:
            name = imported(store, lines)
    _told(given, {"session": name}, iter([f"imported session {name}"]))
    return OK


def forget(store: SQLiteStore, given: argparse.Namespace) -> int:
    """Originals that have to go."""
    done = store.forget(map(SourceId, given.ids), reason=given.reason)
    document = {
        "originals": done.originals,
        "derived": done.derived,
        "same_text": done.same_text,
        "scrubbed": done.scrubbed,
        "key": done.key.hex(),
    }
    told = [
        f"forgotten: {', '.join((*done.originals, *done.derived)) or 'nothing, it was forgotten before'}",
        f"key of the hashes that are kept of the texts: {done.key.hex()}",
        *(f"the same text is held by {span_id}, too" for span_id in done.same_text),
        *(() if done.scrubbed else ("the log still holds it: another process was reading; run this again",)),
    ]
    _told(given, document, iter(told))
    return OK
