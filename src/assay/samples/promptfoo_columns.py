"""promptfoo's columns of a table of tests: `__expected`, `__expected1` … and what they go with.

A cell of `__expected` is an assertion in one line, such as `contains: Paris`, `similar(0.8): …`,
`is-json` or `grade: …`; any other text is what the response must equal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from assay.core import SampleError
from assay.data.check_kinds import EXECUTED, kind_names, other_assertions

_COLUMN = re.compile(r"__expected\d*")
_ASSERTION = re.compile(
    r"(?P<type>[a-z][a-z-]*)(?:\((?P<threshold>[0-9.]{1,12})\))?(?::\s*(?P<value>.*))?", re.DOTALL
)
_OTHER_NAMES = {"grade": "llm-rubric", "fn": "javascript", "eval": "javascript"}
"""Names that promptfoo knows in tables only."""


def is_assertion(name: str) -> bool:
    """Whether a column of that name holds assertions."""
    return _COLUMN.fullmatch(name) is not None


def has_assertions(record: Mapping[str, Any]) -> bool:
    """Whether a record has such a column."""
    return "__expected" in record or "__expected1" in record


def checked_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its assertions as `checks`, in place of their columns."""
    columns = [key for key in record if isinstance(key, str) and is_assertion(key)]
    if record.get("checks") is not None:
        raise SampleError(
            f"the record has 'checks' and {columns[0]!r}; expected one of them with all checks"
        )
    cells = [record[key] for key in columns if record[key] not in (None, "")]
    checks: list[dict[str, Any]] = [_check(cell, record.get("__metric")) for cell in cells]
    threshold = record.get("__threshold")
    if checks and threshold not in (None, ""):
        checks = [{"type": "assert-set", "value": checks, "threshold": threshold}]
    read = {*columns, "__metric", "__threshold", "checks"}
    rest = {key: value for key, value in record.items() if key not in read}
    return {**rest, "checks": checks} if checks else rest


def _check(cell: Any, metric: Any) -> dict[str, Any]:
    """The check of one cell, with the title that the record gives all of them."""
    title = {"metric": metric} if metric else {}
    match = _ASSERTION.fullmatch(cell.strip()) if isinstance(cell, str) else None
    if match is None or not _is_kind(match["type"]):
        return {"type": "equals", "value": cell, **title}
    parts = {key: part for key, part in match.groupdict().items() if part}
    return {**parts, "type": _OTHER_NAMES.get(parts["type"], parts["type"]), **title}


def _is_kind(name: str) -> bool:
    plain = name.removeprefix("not-")
    known = (kind_names(), EXECUTED, other_assertions(), _OTHER_NAMES)
    return any(plain in names for names in known)
