"""The journal of simulated conversations: each turn is on disk before the next is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from assay.core import DataError, UsageError
from assay.core.jsontext import dumps, loads

Key = tuple[str, int]
"""A scenario's id, and which of its conversations it is, from 0."""


class KeptConversation(NamedTuple):
    """What is known of a conversation so far."""

    turns: list[dict[str, Any]]
    ended: str = ""
    """Why it is over; empty while it goes on."""


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep the file for this program, so that no two hold the same conversations."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(
            f"another program writes to {str(path)!r}; wait for it, or name another --out"
        ) from None


class TranscriptJournal:
    """An append-only file of turns. A line that a kill has cut off is dropped when it is opened."""

    def __init__(self, path: Path, head: Mapping[str, Any], *, resume: bool) -> None:
        self.path = path
        self._kept: dict[Key, KeptConversation] = {}
        if path.exists() and not resume:
            raise UsageError(
                f"{str(path)!r} holds conversations of an earlier attempt; "
                "continue them with --resume, or remove the file"
            )
        self._file: IO[bytes] = path.open("a+b")
        try:
            _lock(self._file, path)
            self._read(head)
        except BaseException:
            self._file.close()
            raise

    def kept(self, key: Key) -> KeptConversation:
        """What an earlier attempt has kept of a conversation."""
        return self._kept.get(key, KeptConversation([]))

    def add(self, key: Key, turn: Mapping[str, Any]) -> None:
        """Keep one more turn."""
        self._write({"id": key[0], "repeat": key[1], "turn": dict(turn)})

    def end(self, key: Key, reason: str) -> None:
        """Keep that a conversation is over."""
        self._write({"id": key[0], "repeat": key[1], "ended": reason})

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _write(self, record: Mapping[str, Any]) -> None:
        self._file.write(dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, head: Mapping[str, Any]) -> None:
        self._file.seek(0)
        whole, newline, torn = self._file.read().rpartition(b"\n")
        if torn:
            self._file.truncate(len(whole) + len(newline))
        if not whole:
            self._write({"simulation": dict(head)})
        records = [self._record(line) for line in whole.splitlines()]
        if records and records[0].get("simulation") != head:
            raise UsageError(
                f"{str(self.path)!r} belongs to another simulation (scenarios, target, user, seed "
                "or repeats differ); --resume needs the same ones"
            )
        for record in records[1:]:
            key = record["id"], record["repeat"]
            kept = self.kept(key)
            turns = [*kept.turns, record["turn"]] if "turn" in record else kept.turns
            self._kept[key] = KeptConversation(turns, record.get("ended", ""))

    def _record(self, line: bytes) -> dict[str, Any]:
        try:
            record = loads(line.decode())
        except ValueError as error:
            raise DataError(f"{str(self.path)!r} is damaged: {error}") from None
        if not isinstance(record, dict):
            raise DataError(f"{str(self.path)!r} is damaged: expected an object in every line")
        return record
