"""Answers of several systems to the same questions, from files or stored runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assay.core import DataError, NotFoundError, Sample, SampleError, UsageError
from assay.samples import read_samples

if TYPE_CHECKING:  # files need no store
    from assay.runner.sides import By
    from assay.store import Store


@dataclass(frozen=True, slots=True)
class AnsweredSystem:
    """A system with its answers."""

    name: str
    answers: Mapping[str, Sample]
    """What a question is paired by → the sample."""
    unread: int = 0
    """Records without an answer, or that could not be read."""


def read_systems(given: Sequence[str], by: By, store: Callable[[], Store]) -> list[AnsweredSystem]:
    """The systems that `NAME=SOURCE` or `SOURCE` names: a file of answers, or a stored run."""
    systems = [read_system(*_named(text), by, store) for text in given]
    names = [system.name for system in systems]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two systems are called {twice!r}; name them: a=FILE b=FILE")
    return systems


def _named(text: str) -> tuple[str, str]:
    name, separator, source = text.partition("=")
    if separator and name and source and not Path(text).exists():
        return name, source
    return (Path(text).stem if Path(text).is_file() else text), text


def read_system(name: str, source: str, by: By, store: Callable[[], Store]) -> AnsweredSystem:
    """One system's answers."""
    if Path(source).is_file():
        return system_of(name, read_samples(source), by)
    from assay.runner.rescore import stored_items
    from assay.store.run_list import find_run

    opened = store()
    try:
        run = find_run(opened, source)
    except NotFoundError as error:
        raise NotFoundError(f"{source!r} is no file, and {error}") from None
    return system_of(name, stored_items(opened, run), by)


def system_of(name: str, items: Iterable[Sample | SampleError], by: By = "id") -> AnsweredSystem:
    """A system with answers that were read."""
    answers: dict[str, Sample] = {}
    unread = 0
    for item in items:
        if isinstance(item, SampleError) or item.response is None:
            unread += 1
            continue
        key = item.id if by == "id" else " ".join((item.query or "").split())
        if key in answers:
            raise DataError(
                f"{name}: two answers belong to the question {key!r}; expected one per question"
            )
        answers[key] = item
    if not answers:
        raise DataError(f"{name}: no answers; expected records with a query and a response")
    return AnsweredSystem(name, answers, unread)


def common_questions(systems: Sequence[AnsweredSystem]) -> tuple[list[str], dict[str, int]]:
    """The questions that all systems have answered, in order, and what each has beside them.

    Raises `DataError` where there is none, or where one id names two queries.
    """
    first, *others = systems
    common = [key for key in first.answers if all(key in other.answers for other in others)]
    if not common:
        raise DataError(
            "no question is answered by all systems; answers are paired by id unless you say "
            "--by query"
        )
    for key in common:
        queries = {" ".join((one.answers[key].query or "").split()) for one in systems}
        if len(queries) > 1:
            raise DataError(
                f"the id {key!r} names different queries in {', '.join(s.name for s in systems)}; "
                "pair the answers with --by query"
            )
    return common, {one.name: extra for one in systems if (extra := len(one.answers) - len(common))}
