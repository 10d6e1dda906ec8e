"""Assay: `evaluate`."""

from harness import Record, measure

import assay


def evaluate(records: list[Record], metric: str) -> object:
    return assay.evaluate(records, metrics=[metric], settings=None)


measure(
    {
        "exact": lambda records: evaluate(records, "chat.exact_match"),
        "rouge": lambda records: evaluate(records, "chat.rouge"),
    }
)
