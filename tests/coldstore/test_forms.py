"""Compressed and encrypted texts: kept smaller, kept secret, and the same when they are read."""

from __future__ import annotations

import builtins
import importlib
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.coldstore.forms import Forms, Kept
from ctxcontracts.errors import ColdStoreError, DamagedOriginalError
from ctxcontracts.testing.durable_stores import DurableStoreSuite
from ctxcontracts.testing.stores import O1, O2, MakeStore, original
from tests.support.small_store import sql

TEXT = "and so they went on with the migration " * 100


class Swapped:
    """Encrypts for tests only: each byte the other way round, and a byte that proves who did it."""

    def encrypt(self, content: bytes, /) -> bytes:
        return b"!" + bytes(255 - one for one in content)

    def decrypt(self, content: bytes, /) -> bytes:
        if content[:1] != b"!":
            raise ValueError("not mine")
        return bytes(255 - one for one in content[1:])


class TestCompressedAndEncrypted(DurableStoreSuite):
    """The suite on a store with both."""

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> MakeStore:
        return lambda: SQLiteStore(tmp_path / "store.db", cipher=Swapped(), compress=True)


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_an_encrypted_text_is_in_no_file(tmp_path: Path) -> None:
    """It is read with the cipher, and not without."""
    path = tmp_path / "store.db"
    with SQLiteStore(path, cipher=Swapped()) as store:
        store.append("s", [original(O1, TEXT)], expected=0)
        assert TEXT[:40].encode() not in everything(tmp_path)
        assert store.fetch(O1).text == TEXT
        assert store.verify() == ()
    with SQLiteStore(path) as store:
        with pytest.raises(ColdStoreError, match="opened without a cipher"):
            store.fetch(O1)
        assert [damage.what for damage in store.verify()] == [
            "a text is encrypted, and the store was opened without a cipher"
        ]


def test_forms_can_change_from_text_to_text(tmp_path: Path) -> None:
    """What was kept plain stays readable, and an equal text is still the same one."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, TEXT)], expected=0)
    with SQLiteStore(path, cipher=Swapped(), compress=True) as store:
        store.append("s", [original(O2, TEXT)], expected=1)
        assert store.fetch(O1).text == store.fetch(O2).text == TEXT


def test_compression_makes_the_file_smaller(tmp_path: Path) -> None:
    """And leaves what it would make larger."""
    sizes = []
    for compress in (False, True):
        path = tmp_path / f"{compress}.db"
        with SQLiteStore(path, compress=compress) as store:
            store.append("s", [original(O1, TEXT * 20), original(O2, "tiny")], expected=0)
            assert store.fetch(O2).text == "tiny"
        sizes.append(path.stat().st_size)
    assert sizes[1] < sizes[0] / 1.5


@pytest.mark.parametrize(("form", "content"), [(1, b"no zstd"), (2, b"not mine"), (3, b"!x"), (4, b"x"), (-1, b"x")])
def test_what_cannot_be_read_is_damage(tmp_path: Path, form: int, content: bytes) -> None:
    """Every way in which the bytes can be wrong."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, TEXT)], expected=0)
    sql(path, f"UPDATE blobs SET form = {form}, content = x'{content.hex()}'")
    with SQLiteStore(path, cipher=Swapped()) as store:
        with pytest.raises(DamagedOriginalError):
            store.fetch(O1)
        assert len(store.verify()) == 1


@pytest.mark.parametrize("cipher", ["a password", b"key", 3])
def test_a_cipher_encrypts_and_decrypts(tmp_path: Path, cipher: Any) -> None:
    """A key alone is none."""
    with pytest.raises(ColdStoreError, match=r"without encrypt\(\)"):
        SQLiteStore(tmp_path / "store.db", cipher=cipher)
    assert not (tmp_path / "store.db").exists()


def test_compression_asks_for_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, with the name of the extra."""

    def missing(name: str) -> Any:
        raise builtins.ImportError(name)

    monkeypatch.setattr("ctxcontracts.coldstore.forms.import_module", missing)
    with pytest.raises(ColdStoreError) as refused:
        Forms(compress=True)
    assert "ctxcontracts[zstd]" in refused.value.instead
    assert importlib.import_module("zstandard")
    assert repr(Kept(1, b"abc")) == "<Kept in form 1, 3 bytes>"
