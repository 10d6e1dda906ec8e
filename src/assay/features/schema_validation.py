"""Whether a response obeys the JSON Schema of its sample, and where it does not.

The schema is the user's, the response a model's. References outside the schema are never fetched,
and schemas that would take more than linear time are refused; the list of violations, whose making
takes more time than the verdict, is left out where it could be long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from assay.core import DataError, feature
from assay.core.jsontext import loads
from assay.core.schema_cost import branches, depth, steps, without_open_alternatives

SHOWN = 10
"""At most this many violations are listed."""
BACKTRACK_LIMIT = 100_000
"""Steps after which an expression with look-around is given up; plain ones take linear time."""
MAX_NESTING = 20_000
"""Depth of the response times steps of the schema: more might be deeper than the stack of the
validator, which then ends the process."""
MAX_LISTED = 2_000
"""The same for the list of violations, whose making takes more of the stack."""
MAX_BRANCHES = 100_000
"""How often a schema may have the same part of a response checked; by doubling, forty alternatives
within each other would have it checked a billion times."""
MAX_LISTED_LENGTH = 100_000
"""Violations of a longer response are not listed, in characters."""
MAX_LISTED_DEPTH = 200
"""Nor are those of a deeper one, which the validator cannot hand out."""
MAX_MESSAGE = 200
_PLACE = re.compile(r" at character (\d+)$")
_BLANKS = re.compile(r"[ \t\n\r]*")


class SchemaViolation(NamedTuple):
    """A part of the response that breaks a keyword of the schema."""

    path: str
    """Where, as a JSON pointer."""
    keyword: str
    message: str
    start: int
    end: int


class SchemaVerdict(NamedTuple):
    """What a schema says of a response."""

    is_valid: bool
    problem: str
    """Why the response is not JSON; empty when it is."""
    violations: tuple[SchemaViolation, ...]
    """The first violations; empty where listing them could take too long."""


class ParsedResponse(NamedTuple):
    """A response read as JSON."""

    value: Any
    problem: str
    """Why it is not JSON; empty when it is."""

    @property
    def is_json(self) -> bool:
        """Whether it could be read."""
        return not self.problem


@feature()
def response_parsed(response: str) -> ParsedResponse:
    """The response as JSON."""
    try:
        return ParsedResponse(loads(response), "")
    except ValueError as error:
        return ParsedResponse(None, str(error))


@feature()
def schema_verdict(response: str, response_parsed: ParsedResponse, schema: Any) -> SchemaVerdict:
    """Whether the response is JSON that obeys the schema."""
    validator = _validator(schema)
    if not response_parsed.is_json:
        return SchemaVerdict(False, response_parsed.problem, ())
    value, has_halves = _encodable(response_parsed.value)
    levels = depth(value)
    nesting = levels * steps(schema)
    if nesting > MAX_NESTING:
        raise DataError("response and schema are nested too deeply to be checked safely")
    if branches(schema) > MAX_BRANCHES:
        raise DataError("the schema has too many alternatives within alternatives to be checked")
    if validator.is_valid(value):
        return SchemaVerdict(True, "", ())
    can_list = (
        nesting <= MAX_LISTED
        and levels <= MAX_LISTED_DEPTH
        and len(response) <= MAX_LISTED_LENGTH
        and not has_halves
    )
    violations = _violations(response, value, schema) if can_list else ()
    return SchemaVerdict(False, "", tuple(violations))


def error_place(problem: str, response: str) -> tuple[int, int] | None:
    """The character at which reading a response as JSON failed; None where none is named."""
    match = _PLACE.search(problem)
    place = int(match[1]) - 1 + response.startswith("\ufeff") if match else len(response)
    return (place, place + 1) if place < len(response) else None


def _validator(schema: Any) -> Any:
    """The compiled schema; raises `DataError` for one that cannot be used."""
    from jsonschema_rs import FancyRegexOptions, ValidationError, validator_for

    patterns = FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    try:
        return validator_for(schema, offline=True, pattern_options=patterns)
    except ValidationError as error:
        raise DataError(f"the schema cannot be used: {error.message[:MAX_MESSAGE]}") from None
    except ValueError as error:
        raise DataError(f"the schema cannot be used: {error}") from None


def _encodable(value: Any) -> tuple[Any, bool]:
    """The value with a question mark for each half of a character, and whether it has any.

    The validator cannot hold halves of characters, which JSON can spell as "\\ud800".
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-8", "replace")), True
    return value, False


def _violations(response: str, value: Any, schema: Any) -> Iterator[SchemaViolation]:
    """What the validator says, without alternatives that refer to other parts of the schema.

    It explains each alternative by the failures of its parts, so that alternatives within
    alternatives would take time that doubles with every level of the response.
    """
    from jsonschema_rs import ValidationErrorKind as Kind

    for error in islice(_validator(without_open_alternatives(schema)).iter_errors(value), SHOWN):
        if isinstance(error.kind, Kind.BacktrackLimitExceeded | Kind.RegexEngineFailure):
            raise DataError("a pattern of the schema takes too long on this response")
        path = list(error.instance_path)
        yield SchemaViolation(
            "".join(f"/{_escaped(str(key))}" for key in path),
            str(error.kind.name),
            str(error.message)[:MAX_MESSAGE],
            *place_of(response, path),
        )


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


_DECODER = json.JSONDecoder()


def place_of(text: str, path: Sequence[str | int]) -> tuple[int, int]:
    """Where in JSON text the value of a path begins and ends."""
    start = _skip(text, text.startswith("\ufeff"))
    for key in path:
        start = _child(text, start, key)
    return start, _DECODER.raw_decode(text, start)[1]


def _child(text: str, start: int, wanted: str | int) -> int:
    """Where the member of an object or the item of a list begins; the container stands at start."""
    is_object = text[start] == "{"
    place, index = _skip(text, start + 1), 0
    while True:
        key: Any = index
        if is_object:
            key, place = _DECODER.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        if key == wanted:
            return place
        place = _skip(text, _DECODER.raw_decode(text, place)[1])
        place, index = _skip(text, place + 1), index + 1


def _skip(text: str, place: int) -> int:
    """The next place that is not blank."""
    match = _BLANKS.match(text, place)
    assert match
    return match.end()
