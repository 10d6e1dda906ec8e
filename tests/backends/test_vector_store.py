import logging
import os
import sqlite3
import subprocess
import sys

import pytest

from assay.backends import model_settings, vector_store
from assay.backends.vector_store import FILE, VectorStore


def key(number):
    return number.to_bytes(24, "big")


def test_what_is_written_is_read_by_another(tmp_path):
    VectorStore(tmp_path).write({key(n): bytes([n]) * 8 for n in range(3)})
    other = VectorStore(tmp_path)
    assert other.read([key(2), key(7)]) == {key(2): b"\x02" * 8}
    assert other.read([]) == {}


def test_more_keys_than_a_query_takes(tmp_path):
    kept = VectorStore(tmp_path)
    vectors = {key(n): n.to_bytes(8, "big") for n in range(1500)}
    kept.write(vectors)
    assert kept.read(list(vectors)) == vectors


@pytest.mark.parametrize(
    ("version", "expected"),
    [((3, 51, 2), "truncate"), ((3, 51, 3), "wal"), ((3, 40, 1), "truncate")],
)
def test_the_file_is_as_it_should_be(tmp_path, monkeypatch, version, expected):
    """As in stores, no log where several writers could damage it; one that is there goes."""
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    kept = VectorStore(tmp_path)
    mode, wait = (
        kept._connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "busy_timeout")
    )
    assert (mode, wait) == (expected, 30_000)
    kept.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions on this system")
def test_the_file_is_readable_for_its_owner_alone(tmp_path):
    umask = os.umask(0)
    try:
        kept = VectorStore(tmp_path / "cache")
        kept.write({key(1): bytes(10)})
        modes = [path.stat().st_mode & 0o777 for path in (tmp_path / "cache").iterdir()]
        kept.close()
    finally:
        os.umask(umask)
    assert set(modes) == {0o600}
    assert (tmp_path / "cache").stat().st_mode & 0o777 == 0o700


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    now = [0.0]
    kept = VectorStore(tmp_path, limit=200_000, now=lambda: now[0])
    for n in range(60):
        now[0] += 10_000
        kept.write({key(n): bytes(4000)})
        assert kept.read([key(0)])
    left = kept.read([key(n) for n in range(60)])
    assert key(0) in left
    assert key(59) in left
    assert key(1) not in left
    assert len(left) < 55
    kept.close()
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 400_000


def test_a_changed_bit_is_noticed(tmp_path):
    kept = VectorStore(tmp_path)
    kept.write({key(1): b"12345678", key(2): b"abcdefgh"})
    with sqlite3.connect(tmp_path / FILE) as connection:
        ((sealed,),) = connection.execute("SELECT vector FROM vectors WHERE key = ?", (key(1),))
        changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
        connection.execute("UPDATE vectors SET vector = ? WHERE key = ?", (changed, key(1)))
    connection.close()
    assert kept.read([key(1), key(2)]) == {key(2): b"abcdefgh"}


def test_a_file_that_is_no_database_is_set_aside_with_one_warning(tmp_path, caplog):
    (tmp_path / FILE).write_bytes(b"this is no database" * 100)
    with caplog.at_level(logging.WARNING, "assay"):
        broken = VectorStore(tmp_path)
        broken.write({key(1): b"1"})
        assert broken.read([key(1)]) == {}
    assert not broken.is_usable
    assert len(caplog.records) == 1
    assert "damaged" in caplog.text
    assert [file.name for file in tmp_path.iterdir()] == [f"{FILE}.damaged"]
    assert VectorStore(tmp_path).is_usable


def test_a_file_that_is_damaged_inside_is_set_aside_too(tmp_path, caplog):
    kept = VectorStore(tmp_path)
    kept.write({key(n): bytes(3000) for n in range(40)})
    kept.close()
    with (tmp_path / FILE).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 100_000)
    reopened = VectorStore(tmp_path)
    for _ in range(2):
        reopened.read([key(n) for n in range(40)])
    assert not reopened.is_usable
    assert len(caplog.records) == 1


def test_a_folder_that_cannot_be_made_is_said_once(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    kept = VectorStore(tmp_path / "file" / "folder")
    kept.write({key(1): b"1"})
    assert kept.read([key(1)]) == {}
    assert len(caplog.records) == 1
    assert "ASSAY_CACHE_DIR" in caplog.text


def test_a_file_that_stays_locked_does_not_stop_the_run(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr(vector_store, "BUSY_SECONDS", 0.01)
    kept = VectorStore(tmp_path)
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    kept.write({key(1): b"1"})
    other.close()
    assert "locked" in caplog.text


WRITER = """
import sys
from pathlib import Path
from assay.backends.vector_store import VectorStore
store = VectorStore(Path(sys.argv[1]))
number = int(sys.argv[2])
for n in range(200):
    own = number * 1000 + n
    shared = 50_000 + n
    store.write({k.to_bytes(24, "big"): k.to_bytes(8, "big") * 64 for k in (own, shared)})
    key = own.to_bytes(24, "big")
    assert store.read([key]) == {key: own.to_bytes(8, "big") * 64}
assert store.is_usable
"""


def test_four_processes_write_at_once_and_nothing_is_lost_or_wrong(tmp_path):
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(number)], stderr=subprocess.PIPE
        )
        for number in range(4)
    ]
    for process in running:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
        assert not errors
    numbers = [*(p * 1000 + n for p in range(4) for n in range(200)), *range(50_000, 50_200)]
    expected = {key(n): n.to_bytes(8, "big") * 64 for n in numbers}
    assert VectorStore(tmp_path).read(list(expected)) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"ASSAY_CACHE_DIR": "here"}, "here"),
        ({"XDG_CACHE_HOME": "shared"}, "shared/assay"),
        ({"HOME": "/home/me"}, "/home/me/.cache/assay"),
        ({"ASSAY_CACHE": "off", "ASSAY_CACHE_DIR": "here"}, None),
    ],
)
def test_where_vectors_are_kept(given, expected, monkeypatch):
    for name in ("ASSAY_CACHE", "ASSAY_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = model_settings.cache_folder()
    assert (found.as_posix() if found else None) == expected
