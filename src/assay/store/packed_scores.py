"""The scores of a test as one row of `test_scores`, and back.

Values and qualities are JSON arrays with a place for each metric of the run, in the order of
`run_metrics`; both databases can look into them. An outcome is one character: state, verdict,
whether it passed and whether it gates. A threshold is kept where it is not the run's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from assay.core import DataError, Result
from assay.core.jsontext import dumps

STATES = ("ok", "missing", "imputed", "error")
PASSED = (None, True, False)
VERDICTS = (None, "pass", "fail", "unsure")
FIRST_CODE = 33
"""Of the first outcome. Each is `FIRST_CODE + state + 4 · passed + 12 · verdict + 48 · gates`; they
are places in the tuples above."""
ABSENT = " "
"""Stands for a metric that has no result for this test."""
NO_THRESHOLDS = "{}"


class Decided(NamedTuple):
    """What is stored of a result as one character."""

    state: str
    passed: bool | None
    verdict: str | None
    gates: bool


DECIDED: dict[str, Decided] = {
    chr(FIRST_CODE + code): Decided(state, passed, verdict, gates)
    for code, (gates, verdict, passed, state) in enumerate(
        product((False, True), VERDICTS, PASSED, STATES)
    )
}
"""Character → outcome."""
CODES: dict[Any, str] = {decided: code for code, decided in DECIDED.items()}
"""Outcome → character."""
FAILS = "".join(code for code, known in DECIDED.items() if known.verdict == "fail" and known.gates)
"""The characters of results because of which a test fails."""
NOT_SCORED = Result(state="absent")  # type: ignore[arg-type] # no state of a result
"""Stands for a result that is not there."""
CODES["absent", None, None, False] = ABSENT


def _plain(value: Any) -> dict[str, Any]:
    """A mapping that is no `dict` as one."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


_ENCODER = json.JSONEncoder(
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,
    separators=(",", ":"),
    default=_plain,
)


def encode(value: Any) -> str:
    """JSON text for our own reader: `json.loads` gives the same value again.

    It may hold half a surrogate pair, and what acts on a terminal stands in it as it is.
    """
    try:
        return _ENCODER.encode(value)
    except ValueError:  # a number so long that Python refuses to spell it
        return dumps(value, is_compact=True)


class PackedScores(NamedTuple):
    """A row of `test_scores` without its keys."""

    metric_values: str
    qualities: str
    outcomes: str
    thresholds: str


def in_order(results: Mapping[str, Result], metrics: Mapping[str, Any]) -> list[Result]:
    """The results in the order of the run's metrics, with a stand-in for each that is not there."""
    if tuple(results) == tuple(metrics):
        return list(results.values())
    if not results.keys() <= metrics.keys():
        unknown = sorted(results.keys() - metrics.keys())
        raise DataError(f"the run has no metric {unknown[0]!r}; start a run whose plan names it")
    return [results.get(name, NOT_SCORED) for name in metrics]


def pack_scores(results: Sequence[Result], thresholds: Iterable[float | None]) -> PackedScores:
    """The row of some results; `thresholds` are those of the run's metrics, in the same order."""
    return PackedScores(
        encode([result.value for result in results]),
        encode([result.quality for result in results]),
        pack_outcomes(results),
        pack_thresholds(results, thresholds),
    )


def pack_outcomes(results: Iterable[Result]) -> str:
    """A character for the outcome of each result."""
    return "".join([CODES[r.state, r.passed, r.verdict, r.gates] for r in results])


def pack_thresholds(results: Iterable[Result], thresholds: Iterable[float | None]) -> str:
    """The thresholds, by place, that are not those of the run."""
    other = {
        str(place): result.threshold
        for place, (result, threshold) in enumerate(zip(results, thresholds, strict=True))
        if result.threshold != threshold and result is not NOT_SCORED
    }
    return encode(other) if other else NO_THRESHOLDS


class StoredScore(NamedTuple):
    """What a row of `test_scores` says of one metric."""

    value: float | None
    quality: float | None
    threshold: float | None
    decided: Decided


def unpack_scores(
    row: Any, thresholds: Mapping[str, float | None]
) -> dict[str, tuple[int, StoredScore]]:
    """Metric → its position and score; `thresholds` are those of the run's metrics, in order."""
    values, qualities = json.loads(row.metric_values), json.loads(row.qualities)
    other = {} if row.thresholds == NO_THRESHOLDS else json.loads(row.thresholds)
    return {
        name: (
            place,
            StoredScore(
                _number(values[place]),
                _number(qualities[place]),
                _number(other.get(str(place), threshold)),
                DECIDED[code],
            ),
        )
        for place, ((name, threshold), code) in enumerate(
            zip(thresholds.items(), row.outcomes, strict=False)
        )
        if code != ABSENT
    }


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
