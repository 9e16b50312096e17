"""Where a store may lie: a disk that is really full, and network drives."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.coldstore import SQLiteStore, sqlite_place
from ctxcontracts.coldstore.sqlite_place import network_of
from ctxcontracts.errors import ColdStoreError

_FILL = """
import sys
from pathlib import Path
from ctxcontracts import ColdStoreError, ContextBuffer, user_text
from tests.support.buffers import WORDS, shrink, state

path = Path(sys.argv[1]) / "store.db"
with ContextBuffer.open(path, "s") as buffer:
    spans = []
    while True:
        before = state(buffer)
        try:
            spans.append(buffer.observe(user_text(f"{len(spans)} {WORDS * 20}")))
        except ColdStoreError as error:
            print(error.happened.replace(str(path), "PATH"), "|", error.instead)
            break
    assert state(buffer) == before
    for use in (lambda: buffer.rewrite(spans[:2], shrink), lambda: buffer.observe_all([user_text(WORDS * 40)] * 3)):
        try:
            use()
        except ColdStoreError:
            assert state(buffer) == before
        else:
            before = state(buffer)  # a small one may still fit
    assert buffer.verify().ok
with ContextBuffer.open(path, "s") as buffer:
    assert [buffer.original(span.id).text for span in spans] == [span.text for span in spans]
    assert buffer.store.verify() == ()
    (Path(sys.argv[1]) / "ballast").unlink()
    buffer.observe(user_text(WORDS * 20))
print("nothing was lost")
"""


def test_a_disk_that_is_really_full_loses_nothing(tmp_path: Path) -> None:
    """On a file system of half a megabyte: the error says what to do, and the call works once there is space."""
    unshare = shutil.which("unshare")
    if unshare is None:
        pytest.skip("no unshare on this machine")
    mount = f'mount -t tmpfs -o size=512k tmpfs "{tmp_path}" && head -c 65536 /dev/zero > "{tmp_path}/ballast"'
    allowed = subprocess.run([unshare, "-Urm", "sh", "-c", mount], check=False, capture_output=True)
    if allowed.returncode:
        pytest.skip("this user may not mount in a namespace of its own")
    command = f'{mount} && exec "{sys.executable}" -c "$1" "{tmp_path}"'
    done = subprocess.run(
        [unshare, "-Urm", "sh", "-c", command, "sh", _FILL], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    refused, lost = done.stdout.splitlines()
    assert refused.startswith("could not write to the store PATH: the disk")
    assert "free" in refused
    assert lost == "nothing was lost"


MOUNTS = """/dev/sda1 / ext4 rw 0 0
server:/x /home nfs4 rw 0 0
/dev/sdb1 /home/local ext4 rw 0 0
//host/share /mnt/with\\040space cifs rw 0 0
first /twice nfs rw 0 0
second /twice ext4 rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ("/var/a.db", None),
        ("/home/me/a.db", "nfs4"),
        ("/home/local/a.db", None),
        ("/mnt/with space/a.db", "cifs"),
        ("/twice/a.db", None),
    ],
)
def test_a_network_drive_is_known_by_its_mount(
    place: str, kind: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deepest mount above the file counts, and of two at one place the later."""
    (tmp_path / "mounts").write_text(MOUNTS)
    monkeypatch.setattr(sqlite_place, "_MOUNTS", tmp_path / "mounts")
    assert network_of(Path(place)) == kind


def test_a_store_on_a_network_drive_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a file is made there."""
    (tmp_path / "mounts").write_text("server:/x / nfs rw 0 0\n")
    monkeypatch.setattr(sqlite_place, "_MOUNTS", tmp_path / "mounts")
    with pytest.raises(ColdStoreError, match=r"network drive \(nfs\)") as refused:
        SQLiteStore(tmp_path / "store.db")
    assert "local disk" in refused.value.instead
    assert not (tmp_path / "store.db").exists()


def test_where_nobody_can_be_asked_the_store_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other systems have other ways to tell."""
    monkeypatch.setattr(sqlite_place, "_MOUNTS", tmp_path / "none")
    SQLiteStore(tmp_path / "store.db").close()
