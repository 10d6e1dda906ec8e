"""What systems under test said, kept as it came, before anything is scored.

Nothing here needs a database until there is a store: targets can be called without one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from assay.core import DataError, Sample
from assay.core.jsontext import dumps, loads
from assay.core.plain import sample_from_json, sample_json
from assay.store.row_codec import safe

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from assay.store.connect import Store

CHUNK = 500
"""Questions read at a time, so that memory does not grow with a run."""


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """The outcome of asking one question once."""

    place: int
    """The question's place in the run, from 0."""
    repeat: int
    """Which repetition of it, from 0."""
    answer: Any = None
    """The replies to each turn, as plain data; None where the call failed."""
    error: str | None = None
    fault: str | None = None
    attempts: int = 1
    asked_at: float = 0.0
    duration: float | None = None
    """Seconds, with all waits and repetitions."""
    question: Sample | None = None
    """The question; kept with the first repetition."""

    @property
    def is_ok(self) -> bool:
        """Whether there is an answer."""
        return self.error is None

    @property
    def retries(self) -> int:
        """Calls beyond one for each turn; 0 where there is no answer."""
        return max(0, self.attempts - len(self.answer)) if self.is_ok else 0

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data, but for its question."""
        fields = asdict(self)
        del fields["question"], fields["place"]
        return {name: value for name, value in fields.items() if value is not None}


def answer_from_json(place: int, given: Mapping[str, Any], question: Sample) -> StoredAnswer:
    """The answer again, from what `StoredAnswer.to_json` gave."""
    first = question if given["repeat"] == 0 else None
    return StoredAnswer(place=place, question=first, **given)


def add_answers(
    store: Store, run: int, answers: Sequence[StoredAnswer], owner: str | None = None
) -> None:
    """Keep answers; one for the same repetition as an earlier failure replaces it.

    `owner` is the name under which the run is leased.
    """
    rows = [_row(run, answer) for answer in answers]
    keys = [{"a": run, "b": answer.place, "c": answer.repeat} for answer in answers]

    def work(connection: Connection) -> None:
        from sqlalchemy import bindparam, delete

        from assay.store import schema
        from assay.store.lease import renew

        if not renew(connection, run, owner):
            raise DataError("the run is being written by another program")
        table = schema.answers
        connection.execute(
            delete(table).where(
                table.c.run_id == bindparam("a"),
                table.c.place == bindparam("b"),
                table.c.repeat == bindparam("c"),
            ),
            keys,
        )
        connection.execute(table.insert(), rows)

    if rows:
        store.write(work)


def read_answers(store: Store, run: int, start: int, end: int) -> dict[int, list[StoredAnswer]]:
    """The answers of a run from one place to before another, by place, in order of repetition."""

    def work(connection: Connection) -> dict[int, list[StoredAnswer]]:
        from assay.store import schema

        table = schema.answers
        query = table.select().where(
            table.c.run_id == run, table.c.place >= start, table.c.place < end
        )
        result: dict[int, list[StoredAnswer]] = {}
        for row in connection.execute(query.order_by(table.c.place, table.c.repeat)):
            result.setdefault(row.place, []).append(_answer(row))
        return result

    return store.read(work)


def all_answers(store: Store, run: int) -> Iterator[tuple[int, list[StoredAnswer]]]:
    """Every question of a run that was asked, with its answers, a few at a time."""
    start = 0
    while (first := store.read(partial(_next_place, run=run, start=start))) is not None:
        start = first + CHUNK
        yield from sorted(read_answers(store, run, first, start).items())


def _next_place(connection: Connection, run: int, start: int) -> int | None:
    from sqlalchemy import func, select

    from assay.store import schema

    table = schema.answers
    query = select(func.min(table.c.place)).where(table.c.run_id == run, table.c.place >= start)
    return connection.execute(query).scalar_one_or_none()


def has_answers(store: Store, run: int) -> bool:
    """Whether the run asked a system."""
    return store.read(partial(_next_place, run=run, start=0)) is not None


def _row(run: int, answer: StoredAnswer) -> dict[str, Any]:
    question = None if answer.question is None else dumps(sample_json(answer.question))
    return {
        "run_id": run,
        "place": answer.place,
        "repeat": answer.repeat,
        "state": "ok" if answer.is_ok else "error",
        "question": question,
        "answer": None if answer.answer is None else dumps(answer.answer),
        "error": safe(answer.error),
        "fault": answer.fault,
        "attempts": answer.attempts,
        "asked_at": answer.asked_at,
        "duration": answer.duration,
    }


def _answer(row: Any) -> StoredAnswer:
    return StoredAnswer(
        row.place,
        row.repeat,
        None if row.answer is None else loads(row.answer),
        row.error,
        row.fault,
        row.attempts,
        row.asked_at,
        row.duration,
        None if row.question is None else sample_from_json(loads(row.question)),
    )
