"""A store of SQLite as a power cut leaves it: what was synced is there, the rest is torn.

A run is written while copies of the file and its journal are taken, inside of transactions and when
a batch is acknowledged. A cut changes in a copy what no sync has made safe, as the formats of
https://sqlite.org/fileformat2.html tell it: the end of the journal, or pages that it can restore.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from sqlalchemy import event, text
from tests.store.scored import RUN_PLAN, make_samples, score

from assay.store import connect, open_store, run_writer
from assay.store.run_list import find_run, read_run
from assay.store.run_writer import start_run

if TYPE_CHECKING:
    from collections.abc import Callable

SAMPLES, BATCH = make_samples(60), 10
WAL_HEAD, FRAME_HEAD, SECTOR = 32, 24, 512
MAGIC = bytes.fromhex("d9d505f920a163d7")
FEW_PAGES, MANY_PAGES = 2, 2000
"""Pages in memory: with few a transaction writes to the file before it commits."""


@dataclass(frozen=True)
class Copy:
    """The files of a store at a moment, and how many records were acknowledged by then."""

    data: bytes
    journal: bytes
    places: int


@dataclass(frozen=True)
class History:
    """What was seen while a run was written."""

    mode: str
    safe: dict[int, Copy]
    """Records → the files when so many were acknowledged."""
    within: list[Copy]
    """The files inside of transactions."""


def watched(folder: Path, mode: str, cached_pages: int) -> History:
    """Write a run with that journal, and copy its files over and over."""
    folder.mkdir()
    path = folder / "s.db"
    journal = path.with_name("s.db-wal" if mode == "WAL" else "s.db-journal")
    history = History(mode, {}, [])
    with patch.object(connect, "journal_mode", lambda version, file: mode):
        open_store(f"sqlite:///{path}").close()
        store = open_store(f"sqlite:///{path}")
        store.engine.dispose()
        event.listen(
            store.engine,
            "connect",
            lambda connection, _: connection.execute(f"PRAGMA cache_size = {cached_pages}"),
        )
        writer = start_run(store, "run", RUN_PLAN)

        def copied() -> Copy:
            noted = journal.read_bytes() if journal.exists() else b""
            return Copy(path.read_bytes(), noted, writer.places)

        def watching(function: Callable[..., None]) -> Callable[..., None]:
            def call(*words: object) -> None:
                function(*words)
                history.within.append(copied())

            return call

        names = ("insert_rows", "add_rollups")
        watches = {name: watching(getattr(run_writer, name)) for name in names}
        with patch.multiple(run_writer, **watches):
            for start in range(0, len(SAMPLES), BATCH):
                history.safe[writer.places] = copied()
                batch = SAMPLES[start : start + BATCH]
                writer.record(batch, score(batch))
        history.safe[writer.places] = copied()
        store.close()
    return history


def torn(rng: Random, data: bytes, start: int, page: int) -> bytes:
    """The bytes cut off somewhere after the start, or with other ones in a part of a page."""
    if rng.random() < 0.5 or start >= len(data):
        return data[: rng.randint(min(start, len(data)), len(data))]
    place = rng.randrange(start, len(data))
    length = min(rng.choice((1, SECTOR, page)), len(data) - place)
    filling = rng.choice((bytes(length), rng.randbytes(length)))
    return data[:place] + filling + data[place + length :]


def log_end(log: bytes) -> tuple[bytes, int]:
    """The salt of a write-ahead log, and where its last committed frame ends."""
    end = WAL_HEAD
    if len(log) < WAL_HEAD:
        return b"", 0
    page, salt = struct.unpack(">I", log[8:12])[0], log[16:24]
    for place in range(WAL_HEAD, len(log) - FRAME_HEAD - page + 1, FRAME_HEAD + page):
        if log[place + 8 : place + 16] != salt:
            break
        if log[place + 4 : place + 8] != bytes(4):  # the size of the database: a commit
            end = place + FRAME_HEAD + page
    return salt, end


def logged_pages(log: bytes) -> list[int]:
    """The numbers of the pages in the committed frames of a write-ahead log."""
    page = struct.unpack(">I", log[8:12])[0]
    places = range(WAL_HEAD, log_end(log)[1], FRAME_HEAD + page)
    return [struct.unpack(">I", log[place : place + 4])[0] for place in places]


def restorable_pages(journal: bytes) -> tuple[list[int], int]:
    """The pages that the synced part of a rollback journal holds, and where that part ends."""
    pages: list[int] = []
    end = 0
    while journal[end : end + 8] == MAGIC:
        records, page = (struct.unpack(">I", journal[end + n : end + n + 4])[0] for n in (8, 24))
        if not records:  # filled in when the records after it were synced
            break
        first = end + SECTOR
        places = range(first, first + records * (page + 8), page + 8)
        pages += [struct.unpack(">I", journal[place : place + 4])[0] for place in places]
        end = -(-(first + records * (page + 8)) // SECTOR) * SECTOR
    return pages, end


def with_torn_pages(rng: Random, data: bytes, pages: list[int]) -> bytes:
    """The file with garbage in halves of some of those pages, or whole ones."""
    page = _page_size(data)
    whole = bytearray(data)
    for number in rng.sample(sorted(set(pages)), rng.randint(1, len(set(pages)))):
        start = (number - 1) * page
        half = slice(*rng.choice(((start, start + page), (start + page // 2, start + page))))
        if half.stop <= len(whole):
            whole[half] = rng.randbytes(half.stop - half.start)
    return bytes(whole)


def _page_size(data: bytes) -> int:
    size = struct.unpack(">H", data[16:18])[0]
    return 65536 if size == 1 else size


def cut_log(rng: Random, history: History) -> Copy:
    """WAL: what came after the last acknowledged commit is torn."""
    copy = rng.choice([*history.within, *list(history.safe.values())[1:]])
    before = copy.places if copy in history.within else copy.places - BATCH
    salt, end = log_end(history.safe[before].journal)
    start = end if salt == log_end(copy.journal)[0] else 0
    page = _page_size(copy.data)
    return Copy(copy.data, torn(rng, copy.journal, start, page), before)


def cut_checkpoint(rng: Random, history: History) -> Copy:
    """WAL: pages were being copied into the file."""
    copy = rng.choice([copy for copy in history.safe.values() if logged_pages(copy.journal)])
    pages = logged_pages(copy.journal)
    return Copy(with_torn_pages(rng, copy.data, pages), copy.journal, copy.places)


def cut_journal(rng: Random, history: History) -> Copy:
    """Rollback journal: it was being written, and the file is as it was."""
    copy = rng.choice([c for c in history.within if c.data == history.safe[c.places].data])
    assert not restorable_pages(copy.journal)[0]
    return Copy(copy.data, torn(rng, copy.journal, SECTOR, _page_size(copy.data)), copy.places)


def cut_pages(rng: Random, history: History) -> Copy:
    """Rollback journal: pages of the file were being overwritten, and perhaps more noted."""
    copy = rng.choice([c for c in history.within if restorable_pages(c.journal)[0]])
    pages, end = restorable_pages(copy.journal)
    journal = copy.journal
    if rng.random() < 0.5:
        journal = torn(rng, journal, end + SECTOR, _page_size(copy.data))
    return Copy(with_torn_pages(rng, copy.data, pages), journal, copy.places)


CUTS: dict[str, tuple[str, int, Callable[[Random, History], Copy]]] = {
    "log": ("WAL", FEW_PAGES, cut_log),
    "checkpoint": ("WAL", MANY_PAGES, cut_checkpoint),
    "journal": ("TRUNCATE", MANY_PAGES, cut_journal),
    "pages": ("TRUNCATE", FEW_PAGES, cut_pages),
}
"""Kind → the journal, how many pages are kept in memory, and what a power cut does."""


def problem_after(folder: Path, mode: str, copy: Copy) -> str:
    """What is wrong with a store that is opened after the cut; empty when nothing is.

    All that was acknowledged must be there, at most one batch more, in order, and add up.
    """
    folder.mkdir()
    (folder / "s.db").write_bytes(copy.data)
    journal = "s.db-wal" if mode == "WAL" else "s.db-journal"
    (folder / journal).write_bytes(copy.journal)
    with patch.object(connect, "journal_mode", lambda version, file: mode):
        store = open_store(f"sqlite:///{folder / 's.db'}")
    try:
        whole = store.read(lambda c: c.execute(text("PRAGMA integrity_check")).scalar_one())
        run = find_run(store, "run")
        read = [sample for sample, _ in read_run(store, run)]
        query = text("SELECT coalesce(sum(total), 0) FROM test_rollups WHERE tag = ''")
        total = store.read(lambda c: c.execute(query).scalar_one())
    finally:
        store.close()
    if whole != "ok":
        return f"the file is damaged: {whole}"
    if not copy.places <= run.places <= copy.places + BATCH:
        return f"{run.places} records where {copy.places} were acknowledged"
    if read != SAMPLES[: run.places] or total != run.places:
        return f"{len(read)} records, {total} in the sums, where {run.places} are stored"
    return ""
