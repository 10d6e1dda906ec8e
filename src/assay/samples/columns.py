"""Which columns of a table give which fields, where their names are not the accepted ones.

People head their columns "Model Answer" and "Correct Answer". Such names are read by their words
(`columns.toml`) and confirmed by what the columns hold. What stays ambiguous is asked, never
guessed: a wrong column would give wrong verdicts without a word.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import Any, NamedTuple

from assay.core import DataError, UsageError
from assay.core.errors import ColumnError
from assay.data.bundled_files import read_toml
from assay.samples.convert import looks_like_json
from assay.samples.field_names import ChosenColumns, fields, lift, mapping, normalise

LOOKED_AT = 100
"""Records whose names and contents decide how a file is read."""
ANSWERS = (
    *("response", "responses", "response_json", "conversation", "translations"),
    *("tool_calls", "tools_used", "steps", "task_completed", "steps_taken", "duration"),
)
"""Fields that say what a system did; without any of them there is no answer to score."""
GUESSED = ("query", "response", "expected", "contexts")
"""Fields whose columns are found by words and contents."""
WEAK = {
    "query": ("input", "inputs", "prompt"),
    "response": ("answer", "output", "outputs", "completion"),
}
"""Accepted names that stand for something else where a column says more clearly what it is: the
`answer` beside a `model_answer` is the expected one."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+|\d+")
_NUMBER = re.compile(r"[-+]?[\d.,\s]+%?|true|false", re.IGNORECASE)
_FLAGS = frozenset(("true", "false", "yes", "no", "0", "1", "correct", "incorrect", "wrong", "x"))
SHOWN = 30
"""Columns that a message names."""


@dataclass(frozen=True, slots=True)
class ColumnReading:
    """How the columns of a table are read."""

    columns: tuple[str, ...]
    fields: Mapping[str, str]
    """Column → field; the others go to the metadata."""
    chosen: ChosenColumns = ()
    """Field and column, of those that were named by the caller or found by their words."""

    def __str__(self) -> str:
        """What was found, and what it is taken for."""
        parts = ", ".join(f"{field} = {_quoted(column)}" for column, field in self.fields.items())
        rest = [column for column in self.columns if column not in self.fields]
        kept = f"; only kept as metadata: {_some(rest)}" if rest else ""
        return f"columns found: {_some(self.columns)}; read as: {parts or 'nothing'}{kept}"

    @property
    def is_plain(self) -> bool:
        """Whether every column that is used is called as its field."""
        return all(column == field for column, field in self.fields.items())

    @property
    def has_answers(self) -> bool:
        """Whether a column says what the system under test did."""
        return any(field in ANSWERS for field in self.fields.values())


def no_answers(name: str, reading: ColumnReading) -> DataError:
    """The error for data without anything that a system answered."""
    return DataError(
        f"nothing to score in {name!r}: no column gives the response; {reading}. "
        "Name it with --map response=COLUMN; for questions without answers, name the system to "
        "ask with --target"
    )


def check_map(map: Mapping[str, str] | None) -> ChosenColumns:
    """The columns that a caller names, by field; raises `UsageError` for what is no field."""
    known = [field.name for field in fields()]
    for name in map or {}:
        if name not in known:
            raise UsageError(
                f"the map names {name!r}, which is no field; expected one of {', '.join(known)}"
            )
    return tuple((map or {}).items())


def parse_map(given: Iterable[str]) -> dict[str, str]:
    """The map of texts such as `response=Model Answer`."""
    result = {}
    for text in given:
        field, sign, column = text.partition("=")
        if not (field.strip() and sign and column.strip()):
            raise UsageError(
                f"the map is {text!r}; expected FIELD=COLUMN, such as response='Model Answer'"
            )
        result[field.strip()] = column.strip()
    return result


def read_columns(
    name: str,
    records: Sequence[Mapping[str, Any]],
    format: str | None = None,
    named: ChosenColumns = (),
    *,
    needs_map: bool = True,
) -> ColumnReading:
    """How records that begin like these are read.

    Accepted names and what the caller `named` count first; a format fixes the reading of all other
    names. Raises `DataError` where a column is named that is not there, unless the names are those
    of a settings file and `needs_map` is false, and where several columns may give one field.
    """
    found = _columns(records)
    lifted = [lift(record, format, named) for record in records] if format or named else records
    columns = _columns(lifted)
    present = {normalise(column) for column in columns}
    if not needs_map:
        named = tuple(entry for entry in named if normalise(entry[1]) in present)
    for field, column in named:
        if normalise(column) not in present:
            raise DataError(
                f"{name!r} has no column {column!r}, which the map names as {field!r}; "
                f"columns found: {_some(found)}"
            )
    chosen = named
    if not format:
        read = mapping(columns, None, named)
        chosen = (*named, *_Table(name, lifted, columns, read, dict(named)).guesses())
    return ColumnReading(found, mapping(columns, format, chosen), chosen)


def _columns(records: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """All names of the records, in the order in which they come."""
    return tuple(dict.fromkeys(chain.from_iterable(records)))


class _Candidate(NamedTuple):
    column: str
    is_marked: bool
    """Whether words other than a bare "answer" tell which field it is."""


class _Table:
    """The first records of a table, and what is known of its columns."""

    def __init__(
        self,
        name: str,
        records: Sequence[Mapping[str, Any]],
        columns: tuple[str, ...],
        read: dict[str, str],
        named: dict[str, str],
    ) -> None:
        self._name, self._records, self._columns = name, records, columns
        self._read, self._named = read, named
        self._values = {
            column: [v for r in records if (v := r.get(column)) not in (None, "")]
            for column in columns
        }
        self._chosen: dict[str, str] = {}

    def guesses(self) -> ChosenColumns:
        """Field and column, of fields that no accepted name gives."""
        self._take_plain_ground_truth()
        for field in GUESSED:
            if field not in self._named:
                self._guess(field)
        self._check_forms()
        return tuple(self._chosen.items())

    def _take_plain_ground_truth(self) -> None:
        """Read `gt` as the expected answer where it holds no JSON."""
        for column, field in [*self._read.items()]:
            is_json = all(isinstance(v, str) and looks_like_json(v) for v in self._values[column])
            is_text = all(isinstance(v, str) for v in self._values[column])
            is_free = "expected" not in {*self._read.values(), *self._named}
            if field == "expected_json" and is_text and not is_json and is_free:
                self._take("expected", column)

    def _guess(self, field: str) -> None:
        """Choose the one column that gives a field, or ask where several may."""
        exact = [column for column, given in self._read.items() if given == field]
        candidates = [
            _Candidate(column, is_marked)
            for column in self._columns
            if column not in self._read
            for is_marked in _points_to(column, field)
            if _IS_FIT[field](self._values[column])
        ]
        if any(self._values[column] for column in exact):
            self._check_exact(field, exact, candidates)
            return
        marked = [candidate for candidate in candidates if candidate.is_marked]
        rivals = marked or candidates
        if len(rivals) > 1:
            raise self._question(field, [rival.column for rival in rivals])
        if rivals:
            self._take(field, rivals[0].column)

    def _check_exact(self, field: str, exact: list[str], candidates: list[_Candidate]) -> None:
        """Ask where a column with an accepted name may not be what is meant."""
        if len(exact) > 1 and field in ("query", "response", "expected"):
            first, *others = exact
            if any(self._mostly_differ(first, other) for other in others):
                raise self._question(field, exact)
        is_weak = all(normalise(column) in WEAK.get(field, ()) for column in exact)
        rivals = [c.column for c in candidates if c.is_marked] if is_weak else []
        if not any(map(_IS_FIT[field], (self._values[column] for column in exact))):
            rivals = [candidate.column for candidate in candidates]
        same = [self._values[column] for column in exact]
        rivals = [rival for rival in rivals if self._values[rival] not in same]
        if rivals:
            has_expected = "expected" in {*self._read.values(), *self._named}
            is_truth = field == "response" and len(exact) == 1 and not has_expected
            further = f" {_map('expected', exact[0])}" if is_truth else ""
            raise self._question(field, [*exact, *rivals], further)

    def _mostly_differ(self, one: str, other: str) -> bool:
        """Whether two columns differ in most records, and not in a few that are wrong."""
        pairs = [(record.get(one), record.get(other)) for record in self._records]
        differing = [bool(a != b) for a, b in pairs if a not in (None, "") and b not in (None, "")]
        return 2 * sum(differing) > len(self._records)

    def _check_forms(self) -> None:
        """Ask where expected answers are codes, such as the letters of choices, and responses not.

        Codes against sentences would fail every sample.
        """
        by_field = {field: column for column, field in self._read.items()} | self._chosen
        expected, response = (by_field.get(f) for f in ("expected", "response"))
        guessed = {*self._chosen.values()}
        if not expected or not response or not {expected, response} & guessed:
            return
        codes, answers = self._values[expected], self._values[response]
        if _are_codes(codes) and not _hold_codes(answers):
            raise self._doubt("expected", expected, f"numbers or letters only, {response!r} texts")
        if expected not in guessed and _are_codes(answers) and not _hold_codes(codes):
            raise self._doubt("response", response, f"numbers or letters only, {expected!r} texts")

    def _take(self, field: str, column: str) -> None:
        self._chosen[field] = column
        self._read[column] = field

    def _question(self, field: str, columns: list[str], further: str = "") -> ColumnError:
        """The error that asks which of several columns is meant.

        `further` is what else to say where the last is meant.
        """
        listed = ", ".join(map(repr, columns[:-1])) + f" and {columns[-1]!r}"
        last, *others = (_map(field, column) for column in reversed(columns[-3:]))
        choice = " or ".join([last + further, *others])
        return ColumnError(
            f"{self._name!r}: {listed} may each be the {field}",
            f"say which: {choice} (in Python: map={{{field!r}: …}}). "
            f"Columns found: {_some(self._columns)}",
            field,
            tuple(columns),
        )

    def _doubt(self, field: str, column: str, found: str) -> ColumnError:
        """The error that asks to confirm a column."""
        return ColumnError(
            f"{self._name!r}: {column!r} may be the {field}, but it holds {found}",
            f"if it is, say so: {_map(field, column)} (in Python: map={{{field!r}: {column!r}}})",
            field,
            (column,),
        )


def _points_to(column: str, field: str) -> tuple[bool, ...]:
    """Whether other words than a bare "answer" tell that the column gives the field; else empty."""
    vocabulary = _vocabulary()
    own, words = vocabulary.fields[field], _words(column)
    if words in own.phrases:
        return (True,)
    telling = [word for word in words if word not in vocabulary.neutral]
    is_model = any(word in vocabulary.models for word in telling)
    if field == "response" and is_model:
        rest = {w for w in telling if not (w in vocabulary.models or w.isdigit() or len(w) == 1)}
        nouns = vocabulary.answers | own.nouns
        return (True,) if rest & nouns and rest <= nouns | own.marks else ()
    has_own = any(word in own.nouns for word in telling)
    has_mark = any(word in own.marks for word in telling)
    known = own.nouns | own.marks
    if field in ("response", "expected"):
        known |= vocabulary.answers
        has_own |= any(word in vocabulary.answers for word in telling) and (
            has_mark or field == "response"
        )
    is_known = bool(telling) and all(word in known for word in telling)
    is_bare = all(word in vocabulary.answers for word in telling)
    return (not is_bare or field == "query",) if is_known and has_own else ()


class _FieldWords(NamedTuple):
    nouns: frozenset[str]
    marks: frozenset[str]
    phrases: frozenset[tuple[str, ...]]


class _Vocabulary(NamedTuple):
    answers: frozenset[str]
    neutral: frozenset[str]
    models: frozenset[str]
    fields: Mapping[str, _FieldWords]


@cache
def _vocabulary() -> _Vocabulary:
    text = files(__package__).joinpath("columns.toml").read_text(encoding="utf-8")
    table = read_toml(text, "columns.toml")

    def words(names: Iterable[str]) -> frozenset[str]:
        return frozenset(word for name in names for word in _words(name))

    return _Vocabulary(
        words(table["answers"]),
        words(table["neutral"]),
        words(table["models"]),
        {
            field: _FieldWords(
                words(table[field]["nouns"]),
                words(table[field]["marks"]),
                frozenset(map(_words, table[field]["phrases"])),
            )
            for field in GUESSED
        },
    )


def _words(name: str) -> tuple[str, ...]:
    """The words of a name, without case, accents and the Arabic article."""
    letters = unicodedata.normalize("NFKD", name)
    plain = "".join(char for char in letters if not unicodedata.combining(char))
    return tuple(_without_article(word.casefold()) for word in _WORD.findall(plain))


def _without_article(word: str) -> str:
    return word[2:] if word.startswith("ال") and len(word) > 4 else word


def _is_question(values: Sequence[Any]) -> bool:
    """Texts or messages, not the numbers of questions."""
    texts = [value for value in values if not _is_number(value)]
    return bool(values) and 2 * len(texts) > len(values) and not _has_objects(values)


def _is_answer(values: Sequence[Any]) -> bool:
    """Texts or numbers, not the marks of a verdict."""
    shown = {str(value).strip().lower() for value in values}
    is_verdict = len(shown) <= 2 and shown <= _FLAGS and not shown <= {"yes", "no"}
    return bool(values) and not is_verdict and not _has_objects(values)


def _is_passages(values: Sequence[Any]) -> bool:
    """Passages of text, or lists of them, not names, addresses or numbers of documents."""
    passages = [
        value
        for value in values
        if isinstance(value, list | tuple | Mapping)
        or (isinstance(value, str) and (looks_like_json(value) or len(value.split()) > 3))
    ]
    return bool(values) and 2 * len(passages) >= len(values)


_IS_FIT: dict[str, Callable[[Sequence[Any]], bool]] = {
    "query": _is_question,
    "response": _is_answer,
    "expected": _is_answer,
    "contexts": _is_passages,
}
"""What the contents of a column have to be like."""


def _has_objects(values: Sequence[Any]) -> bool:
    return any(isinstance(value, Mapping) for value in values)


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return _NUMBER.fullmatch(value.strip()) is not None
    return isinstance(value, int | float)


def _is_code(value: Any) -> bool:
    return _is_number(value) or (isinstance(value, str) and len(value.strip(" ().")) == 1)


def _are_codes(values: Sequence[Any]) -> bool:
    return len(values) > 1 and all(map(_is_code, values))


def _hold_codes(values: Sequence[Any]) -> bool:
    """Whether at least half of the texts hold a number, or a letter on its own."""
    found = [v for v in values if _is_code(v) or re.search(r"\d|\b[A-Za-z]\b[).:]?", str(v)[:2000])]
    return 2 * len(found) >= len(values)


def _map(field: str, column: str) -> str:
    return f"--map {field}={shlex.quote(column)}"


def _quoted(column: str) -> str:
    return column if re.fullmatch(r"[\w .-]+", column) else repr(column)


def _some(columns: Sequence[str]) -> str:
    shown = ", ".join(map(_quoted, columns[:SHOWN]))
    return f"{shown}, … ({len(columns)} in all)" if len(columns) > SHOWN else shown or "none"
