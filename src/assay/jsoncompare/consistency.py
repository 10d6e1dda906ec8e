"""How far several JSON outputs agree with each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from assay.data.json_options import JsonOptions
from assay.jsoncompare.document import JsonDocument
from assay.jsoncompare.pairing import ABSENT, pair
from assay.jsoncompare.values import exact_text, is_null

MAX_OUTPUTS = 300
"""Different outputs that are compared with each other; the time grows with the square."""

Values = Mapping[str, str]
"""Field → its text, for fields that are not null."""


class OutputAgreement(NamedTuple):
    """How far outputs agree, from 0 to 1."""

    value: float
    compared: int
    """How many different outputs were compared."""


def read_outputs(outputs: Iterable[JsonDocument], options: JsonOptions) -> list[Values | None]:
    """The values of each output; None for one that is no document."""
    return [_values(output, options) for output in outputs]


def _values(document: JsonDocument, options: JsonOptions) -> Values | None:
    is_document = isinstance(document.value, dict if options.depth == "top" else dict | list)
    if document.problem or not is_document:
        return None
    pairing = pair(type(document.value)(), document, options)
    return {
        field.name: exact_text(field.aio)
        for field in pairing.fields
        if field.aio is not ABSENT and not is_null(field.aio) and not pairing.is_left_out(field)
    }


def agreement(outputs: Iterable[Values | None]) -> OutputAgreement:
    """The mean over pairs of the share of fields with equal values; two or more outputs.

    Equal outputs are counted, not compared. One that is no document agrees with nothing.
    """
    counts: Counter[frozenset[tuple[str, str]] | None] = Counter(
        None if values is None else frozenset(values.items()) for values in outputs
    )
    unread = counts.pop(None, 0)
    distinct = dict(list(counts.items())[:MAX_OUTPUTS])
    total = sum(distinct.values()) + unread
    agreed = sum(count * (count - 1) / 2 for count in distinct.values())
    names = {values: {name for name, _ in values} for values in distinct if values is not None}
    for one, other in combinations(names, 2):
        share = len(one & other) / len(names[one] | names[other])
        agreed += share * distinct[one] * distinct[other]
    pairs = total * (total - 1) / 2
    return OutputAgreement(min(1.0, agreed / pairs) if pairs else 1.0, len(distinct))
