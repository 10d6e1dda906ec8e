"""autoevals: one scorer, record by record."""

from autoevals import ExactMatch
from harness import Record, measure


def exact(records: list[Record]) -> object:
    scorer = ExactMatch()
    return [scorer.eval(record["response"], record["expected"]) for record in records]


measure({"exact": exact})
