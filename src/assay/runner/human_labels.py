"""People's labels: which are none, and which are positive."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from assay.core import DataError, UsageError

YES = frozenset({"1", "true", "yes", "y", "positive", "pass"})
NO = frozenset({"0", "false", "no", "n", "negative", "fail"})
SHOWN = 10
"""Kinds of labels that a message lists."""
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


class Positive(NamedTuple):
    """Which labels are positive."""

    description: str
    holds: Callable[[Any], bool]


def is_blank(label: Any) -> bool:
    """Whether it is no label: nothing, blanks, or the NaN that tables write for an empty cell."""
    if isinstance(label, float):
        return isnan(label)
    return label is None or (isinstance(label, str) and label.strip().lower() in ("", "nan"))


def read_positive(given: Sequence[str], labels: Sequence[Any]) -> Positive:
    """The rule for positive labels: those given, or yes where all labels are yes or no.

    A given one is a label, or a bound of graded ones such as `>=4`. One that fits no label is
    refused: it would be a slip that makes positive records negative.
    """
    if not given:
        return _yes_or_no(labels)
    rules = [_rule(one) for one in given]
    for one, holds in zip(given, rules, strict=True):
        if not any(map(holds, labels)):
            raise UsageError(f"--positive {one!r} fits no label; found are {_listed(labels)}")
    return Positive(" or ".join(given), lambda label: any(holds(label) for holds in rules))


def _yes_or_no(labels: Sequence[Any]) -> Positive:
    texts = dict.fromkeys(map(_text, labels))
    if not texts.keys() <= YES | NO:
        raise UsageError(
            f"the labels are {_listed(labels)}; say which are positive with --positive LABEL, "
            "or --positive '>=4' for grades"
        )
    return Positive(next((text for text in texts if text in YES), "1"), _is_yes)


def _listed(labels: Sequence[Any]) -> str:
    counted = Counter(map(_text, labels)).most_common(SHOWN)
    return ", ".join(f"{label!r} ({count})" for label, count in counted)


def _is_yes(label: Any) -> bool:
    return _text(label) in YES


def _rule(given: str) -> Callable[[Any], bool]:
    match = re.fullmatch(r"\s*(>=|<=|>|<)\s*(-?[0-9]+(?:\.[0-9]+)?)\s*", given)
    if not match:
        return lambda label: _text(label) == _text(given)
    compare, bound = _COMPARE[match[1]], float(match[2])

    def holds(label: Any) -> bool:
        value = number(label)
        if value is None:
            raise DataError(f"the label is {label!r}; expected a number, for {given!r}")
        return compare(value, bound)

    return holds


def _text(label: Any) -> str:
    """A label as it is compared: without regard to case, blanks and the kind of number."""
    value = None if isinstance(label, bool) else number(label)
    return str(label).strip().lower() if value is None else f"{value:.15g}"


def number(label: Any) -> float | None:
    """A grade as a number; None where it is none."""
    try:
        value = float(label)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if isnan(value) else value
