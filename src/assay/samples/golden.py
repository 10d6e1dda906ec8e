"""Golden datasets: questions with the answers that are held to be right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from assay.core import DataError, Sample, SampleError, UsageError, jsontext
from assay.core.atomic_file import write_file
from assay.samples import convert
from assay.samples.field_names import normalise
from assay.samples.raw_records import (
    RawRecord,
    check_readable,
    ending,
    numbered,
    read_json,
    records,
)
from assay.samples.reader import TABLES, located, sample_at
from assay.samples.write import csv_table, json_document, json_lines, parquet_table


@dataclass(frozen=True, slots=True)
class ExampleChange:
    """An example that two datasets hold differently."""

    before: Sample
    after: Sample
    fields: tuple[str, ...]
    """The names of the fields that differ."""


@dataclass(frozen=True, slots=True)
class Diff:
    """What another dataset has more, less and otherwise."""

    added: tuple[Sample, ...]
    removed: tuple[Sample, ...]
    modified: tuple[ExampleChange, ...]


class Deduplicated(NamedTuple):
    """A dataset in which every query stands once, and the examples left out for that."""

    dataset: GoldenDataset
    dropped: tuple[Sample, ...]


@dataclass(frozen=True, slots=True)
class DatasetSummary:
    """What a dataset holds, in numbers. Lengths are in characters, None where there is no text."""

    count: int
    tags: dict[str, int]
    languages: dict[str, int]
    """As given; an example without a language is not counted."""
    with_expected: int
    without_expected: int
    with_contexts: int
    contexts: int
    mean_query_length: float | None
    mean_expected_length: float | None


@dataclass(frozen=True)
class GoldenDataset:
    """Samples with a name and a version.

    Two examples are the same question when their queries are, without regard to case and outer
    blanks; an example without a query goes by its id.
    """

    name: str
    version: str = "1.0.0"
    description: str = ""
    created_at: str | None = None
    """As given; nothing here reads the clock."""
    tags: tuple[str, ...] = ()
    examples: tuple[Sample, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """What else a file says about the dataset, under its own names."""

    def __post_init__(self) -> None:
        if not _VERSION.fullmatch(self.version):
            raise UsageError(
                f"the version is {self.version!r}; expected two or three numbers such as '1.0.0'"
            )

    def __iter__(self) -> Iterator[Sample]:
        return iter(self.examples)

    def __len__(self) -> int:
        return len(self.examples)

    @classmethod
    def load(cls, path: str | Path) -> GoldenDataset:
        """Read a dataset from `.json`, `.jsonl`, `.csv` or `.parquet`.

        Only a JSON object with `examples` says name, version and the like; otherwise the name is
        the file's. An example without an id gets one from its place. Raises `DataError` when an
        example cannot be read; the same id twice is left to `validate`.
        """
        path = Path(path)
        kind = ending(path)
        name = path.name[: -len(kind)]
        if kind != ".json":
            examples = _examples(path, records(path))
            return cls(name, examples=_with_parsed_json(examples) if kind in TABLES else examples)
        check_readable(path)
        header, raw_records = read_json(path)
        examples = _examples(path, numbered(raw_records))
        try:
            return cls(**{"name": name, **_header(header)}, examples=examples)
        except (SampleError, UsageError) as error:
            raise DataError(f"{path.name}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the dataset as the ending says; the same dataset gives the same bytes.

        JSON holds everything. JSONL, CSV and Parquet hold the examples only. CSV cannot carry empty
        text, and neither CSV nor Parquet lone surrogates: they raise `DataError`.
        """
        path = Path(path)
        writers: dict[str, Callable[[Sequence[Sample]], bytes]] = {
            ".json": lambda examples: json_document(self._header(), examples),
            ".jsonl": json_lines,
            ".csv": csv_table,
            ".parquet": parquet_table,
        }
        write = writers.get(path.suffix.lower())
        if write is None:
            raise DataError(
                f"{str(path)!r} has an unknown ending; expected one of {', '.join(writers)}"
            )
        write_file(path, write(self.examples))

    def subset(self, *tags: str) -> GoldenDataset:
        """The examples that have at least one of the tags."""
        wanted = set(tags)
        return replace(self, examples=tuple(e for e in self.examples if wanted & set(e.tags)))

    def summary(self) -> DatasetSummary:
        """Count the examples by what they hold."""
        with_expected = sum(map(_has_expected, self.examples))
        return DatasetSummary(
            count=len(self.examples),
            tags=_counted(tag for e in self.examples for tag in e.tags),
            languages=_counted(e.language for e in self.examples if e.language),
            with_expected=with_expected,
            without_expected=len(self.examples) - with_expected,
            with_contexts=sum(bool(e.contexts) for e in self.examples),
            contexts=sum(len(e.contexts) for e in self.examples),
            mean_query_length=_mean_length(e.query for e in self.examples),
            mean_expected_length=_mean_length(e.expected for e in self.examples),
        )

    def diff(self, other: GoldenDataset) -> Diff:
        """What `other` has added, removed and modified; ids are not compared."""
        before, after = _by_question(self.examples), _by_question(other.examples)
        shared = [(before[key], after[key]) for key in before if key in after]
        changes = (ExampleChange(old, new, _differing_fields(old, new)) for old, new in shared)
        return Diff(
            added=tuple(after[key] for key in after if key not in before),
            removed=tuple(before[key] for key in before if key not in after),
            modified=tuple(change for change in changes if change.fields),
        )

    def merge(
        self, other: GoldenDataset, on_conflict: Literal["error", "first", "last"] = "error"
    ) -> GoldenDataset:
        """Add the examples of the other dataset that this one lacks.

        Where both hold a question differently, `on_conflict` says which of the two is kept; `error`
        raises `DataError`. An example whose id is taken gets a new one: `a1` becomes `a1-2`.
        """
        if on_conflict not in ("error", "first", "last"):
            raise UsageError(f"on_conflict is {on_conflict!r}; expected 'error', 'first' or 'last'")
        difference = self.diff(other)
        if difference.modified and on_conflict == "error":
            raise _conflict(difference.modified)
        newer = {id(c.before): replace(c.after, id=c.before.id) for c in difference.modified}
        kept = self.examples
        if on_conflict == "last":
            kept = tuple(newer.get(id(example), example) for example in kept)
        return replace(self, examples=kept + tuple(_with_free_ids(kept, difference.added)))

    def deduplicate(self) -> Deduplicated:
        """Keep the first example of every question."""
        first = {_question(e): e for e in reversed(self.examples)}
        kept = tuple(e for e in self.examples if first[_question(e)] is e)
        dropped = tuple(e for e in self.examples if first[_question(e)] is not e)
        return Deduplicated(replace(self, examples=kept), dropped)

    def validate(self, *, min_length: int = 1, max_length: int = 5000) -> list[str]:
        """What is wrong with the examples, one sentence each; an empty list when nothing is.

        Queries and expected answers must have from `min_length` to `max_length` characters, outer
        blanks left out; every query and every id must stand once.
        """
        problems = [] if self.examples else ["the dataset has no examples; expected at least one"]
        questions: dict[str, str] = {}
        ids: set[str] = set()
        for place, example in enumerate(self.examples, start=1):
            issues = [*_text_problems(example, min_length, max_length)]
            if example.id and example.id in ids:
                issues.append(f"the id {example.id!r} was used before; expected every id once")
            if example.query is not None:
                first = questions.setdefault(_question(example), _label(place, example))
                if first != _label(place, example):
                    issues.append(f"the query is the same as in {first}; expected every query once")
            ids.add(example.id)
            problems += [f"{_label(place, example)}: {problem}" for problem in issues]
        return problems

    def _header(self) -> dict[str, Any]:
        known = {
            "name": self.name,
            "version": self.version,
            "description": self.description,
            "createdAt": self.created_at,
            "tags": list(self.tags),
        }
        return known | {key: value for key, value in self.metadata.items() if key not in known}


_VERSION = re.compile(r"\d+\.\d+(\.\d+)?(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?", re.ASCII)
"""Semantic versions, and those that leave out the third number."""


def _examples(path: Path, result: Iterable[RawRecord]) -> tuple[Sample, ...]:
    examples, errors = [], []
    for record in result:
        try:
            examples.append(sample_at(record))
        except SampleError as error:
            errors.append(located(path.name, record.place, error))
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise DataError(f"{errors[0]}{more}")
    return tuple(examples)


def _header(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `GoldenDataset` that stand beside the examples of a file."""
    kinds = {
        "name": convert.text,
        "version": convert.text,
        "description": convert.text,
        "created_at": convert.text,
        "tags": convert.tags,
    }
    known = {normalise(name): name for name in kinds}
    result: dict[str, Any] = {"metadata": {}}
    for key, value in given.items():
        name = known.get(normalise(key))
        if name is None:
            result["metadata"][key] = value
        elif value is not None:
            result[name] = kinds[name](key, value)
    return result


def _with_parsed_json(examples: Iterable[Sample]) -> tuple[Sample, ...]:
    """The examples of a table, in which objects are JSON text, with these as objects again."""
    return tuple(
        replace(
            example,
            expected_json=_parsed(example.expected_json),
            response_json=_parsed(example.response_json),
        )
        for example in examples
    )


def _parsed(value: Any) -> Any:
    try:
        return jsontext.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _question(example: Sample) -> str:
    if example.query is None:
        return f"\n{example.id}"  # no query begins so, for its outer blanks are cut
    return example.query.strip().casefold()


def _by_question(examples: Iterable[Sample]) -> dict[tuple[str, int], Sample]:
    """The examples by question; one that is asked again goes by its turn."""
    turns: Counter[str] = Counter()
    by_question = {}
    for example in examples:
        question = _question(example)
        turns[question] += 1
        by_question[question, turns[question]] = example
    return by_question


def _differing_fields(old: Sample, new: Sample) -> tuple[str, ...]:
    names = (f.name for f in fields(Sample) if f.name != "id")
    return tuple(name for name in names if getattr(old, name) != getattr(new, name))


def _conflict(changes: Sequence[ExampleChange]) -> DataError:
    first = changes[0]
    return DataError(
        f"{len(changes)} questions differ, first {first.before.query or first.before.id!r} in "
        f"{', '.join(map(repr, first.fields))}; correct them, or choose which one to keep"
    )


def _with_free_ids(taken: Iterable[Sample], added: Iterable[Sample]) -> Iterator[Sample]:
    ids = {example.id for example in taken}
    for example in added:
        id, turn = example.id, 2
        while id and id in ids:
            id, turn = f"{example.id}-{turn}", turn + 1
        ids.add(id)
        yield example if id == example.id else replace(example, id=id)


def _text_problems(example: Sample, min_length: int, max_length: int) -> Iterator[str]:
    if example.query is None:
        yield "the query is missing; expected text"
    if not _has_expected(example):
        yield "the expected answer is missing; expected text or JSON"
    for name, given in (("query", example.query), ("expected", example.expected)):
        length = None if given is None else len(given.strip())
        if length is not None and not min_length <= length <= max_length:
            yield f"{name!r} has {length} characters; expected {min_length} to {max_length}"


def _has_expected(example: Sample) -> bool:
    return example.expected is not None or example.expected_json is not None


def _label(place: int, example: Sample) -> str:
    return f"example {place}" + (f" ({example.id!r})" if example.id else "")


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(words).items()))


def _mean_length(texts: Iterable[str | None]) -> float | None:
    lengths = [len(given) for given in texts if given is not None]
    return sum(lengths) / len(lengths) if lengths else None
