"""Values that are no numbers: an error with a reason, and nowhere a NaN."""

import csv
import json
import math
import sqlite3
from contextlib import closing

import pytest

from assay.core import Result, Sample, metric
from assay.runner import evaluate

VALUES = [math.nan, math.inf, -math.inf, None, "", "high", [], 10**400]
FORMATS = (".jsonl", ".json", ".csv", ".md", ".xml", ".prom", ".html")


@pytest.mark.parametrize("value", VALUES, ids=lambda value: repr(value)[:8])
@pytest.mark.parametrize("is_plain", [True, False])
def test_a_value_that_is_no_number_is_an_error_everywhere(tmp_path, value, is_plain):
    @metric(id="own.odd", inputs=("response",), range=(0, 1), polarity="higher", threshold=0.5)
    def odd(response):
        """Odd."""
        return value if is_plain else Result(value)

    url = str(tmp_path / "s.db")
    report = evaluate(
        [Sample(str(n), response="Fine.") for n in range(3)],
        metrics=[odd, "text.safety"],
        run="r",
        store=url,
        settings=None,
    )
    states = [scores["own.odd"].state for scores in report.scores]
    assert states == ["error"] * 3
    found = report.metrics["own.odd"]
    assert (found.errors, found.scored, found.mean) == (3, 0, None)
    for ending in FORMATS:
        path = tmp_path / f"out{ending}"
        report.save(str(path))
        written = path.read_text()
        if ending in (".json", ".jsonl"):
            for line in written.splitlines() if ending == ".jsonl" else [written]:
                json.loads(line, parse_constant=pytest.fail)
        cells = [cell for row in csv.reader(written.splitlines()) for cell in row]
        cells += [line.rpartition(" ")[2] for line in written.splitlines()]
        if ending in (".csv", ".prom"):
            assert not {"nan", "inf", "+inf", "-inf"} & {cell.lower() for cell in cells}
    query = "SELECT metric_value, state FROM scoring_details WHERE metric_name = 'own.odd'"
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        assert connection.execute(query).fetchall() == [(None, "error")] * 3
