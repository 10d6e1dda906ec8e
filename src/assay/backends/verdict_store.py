"""Verdicts on disk, so that the same question is paid for once.

The key is a hash of all that an answer depends on: the address, the model, every field of the
request with the whole prompt, and who asks (a hash of the key, so that nobody gets what another
account was told). Only usable verdicts are kept, never errors or filtered answers, and one that is
read is checked like a fresh one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from assay.backends.judge_questions import AnswerProbabilities, VerdictUsage
from assay.backends.model_settings import cache_folder
from assay.backends.vector_store import VectorStore
from assay.core.jsontext import dumps, loads

FILE = "verdicts.sqlite3"
LIMIT = 128 * 2**20
"""Bytes; beyond them the verdicts that were not used for longest go first."""
FORMAT = "assay-verdicts-1"
"""Part of every key: goes up when what is done to an answer changes."""


class StoredVerdict(NamedTuple):
    """A judge's answer that was usable."""

    content: str
    attempt: int
    """0 for the first answer, 1 for a repaired one: their nonces differ."""
    usage: VerdictUsage
    probabilities: AnswerProbabilities = ()


def verdict_key(url: str, credential: str, request: Mapping[str, Any]) -> bytes:
    """The key of an answer to a request."""
    asker = hashlib.sha256(f"assay\0{credential}".encode()).hexdigest()
    request_text = dumps([FORMAT, url, asker, sorted(request.items())])
    return hashlib.blake2b(request_text.encode(), digest_size=24).digest()


def read_kept(keys: Sequence[bytes]) -> dict[bytes, StoredVerdict]:
    """The answers that are kept under the keys; an odd one counts as none."""
    store = _open() if keys else None
    stored = ((key, _read(raw)) for key, raw in store.read(keys).items()) if store else ()
    return {key: kept for key, kept in stored if kept is not None}


def _read(raw: bytes) -> StoredVerdict | None:
    try:
        content, attempt, into, out, is_estimated, *rest = loads(raw.decode())
        usage = VerdictUsage(int(into), int(out), bool(is_estimated))
        probabilities = tuple((answer, float(share)) for answer, share in (rest or [()])[0])
        return StoredVerdict(str(content), int(attempt), usage, probabilities)
    except (ValueError, TypeError, LookupError):
        return None


def keep(key: bytes, kept: StoredVerdict) -> None:
    """Keep an answer for the next run."""
    if store := _open():
        parts = [kept.content, kept.attempt, *kept.usage]
        parts += [kept.probabilities] if kept.probabilities else []
        store.write({key: dumps(parts).encode()})


def _open() -> VectorStore | None:
    folder = cache_folder()
    return _store(folder) if folder else None


@cache
def _store(folder: Path) -> VectorStore:
    """The one store of a folder in this process."""
    return VectorStore(folder, LIMIT, file=FILE)
