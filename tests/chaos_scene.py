"""What `make chaos` and its parts share: a folder, a seed, and what must hold at the end."""

from __future__ import annotations

import random
from pathlib import Path

from sqlalchemy import text
from tests.postgres import Postgres

from assay.store import open_store
from assay.store.answers import all_answers
from assay.store.run_list import find_run


class LostError(Exception):
    """Something is not as it was promised."""


class Scene:
    """A folder, a seed, and a PostgreSQL where there is one."""

    def __init__(self, folder: Path, seed: int, postgres: Postgres | None) -> None:
        self.folder = folder
        self.chance = random.Random(seed)  # noqa: S311 -- moments, not secrets
        self.postgres = postgres
        self._made = 0

    def path(self, ending: str = "") -> Path:
        """A new path."""
        self._made += 1
        return self.folder / f"{self._made}{ending}"

    def stores(self) -> list[str]:
        """A new store of each kind."""
        urls = [f"sqlite:///{self.path('.db')}"]
        return [*urls, self.postgres.database()] if self.postgres else urls


def expect(is_so: bool, problem: str) -> None:
    """Fail with the problem unless it is so."""
    if not is_so:
        raise LostError(problem)


def expect_whole(url: str, records: int, name: str = "run") -> None:
    """Every record of a finished run is there once, in rows and in sums."""
    store = open_store(url)
    queries = [
        "SELECT count(*) FROM test_results",
        "SELECT count(DISTINCT test_name) FROM test_results",
        "SELECT sum(total) FROM test_rollups WHERE tag = ''",
    ]
    found = store.read(lambda c: [c.execute(text(query)).scalar_one() for query in queries])
    status = find_run(store, name).status
    store.close()
    expect(found == [records] * 3, f"{found} instead of {records} each")
    expect(status == "finished", f"the run is {status}")


def questions_asked(folder: Path) -> list[int]:
    """The numbers of the questions that the target of a folder was asked, in order."""
    path = folder / "asked"
    return question_numbers(path) if path.exists() else []


def question_numbers(path: Path) -> list[int]:
    """The numbers of the questions in a file, in order."""
    return [int(line.split()[1]) for line in path.read_text(encoding="utf-8").splitlines()]


def answered(url: str, name: str) -> set[int]:
    """The numbers of the questions whose answers are stored."""
    store = open_store(url)
    stored = all_answers(store, find_run(store, name).id)
    kept = {place for place, answers in stored for answer in answers if answer.is_ok}
    store.close()
    return kept
