from __future__ import annotations

import json
from typing import Any

import pytest

import assay
from assay.core import DataError, UsageError
from assay.core.errors import ArgumentError

pa = pytest.importorskip("pyarrow")

METRICS = ["text.safety", "text.coherence"]


def answers(count: int = 4) -> list[dict[str, Any]]:
    texts = ["A fine answer.", "You are an idiot.", "Write to joe@example.com.", ""]
    return [
        {"id": f"a{n}", "question": "Why?", "answer": texts[n % len(texts)]} for n in range(count)
    ]


def score_batch(rows: list[dict[str, Any]], metrics: Any = METRICS, **options: Any) -> Any:
    return assay.score_batch(pa.Table.from_pylist(rows), metrics, settings=None, **options)


def test_a_row_for_each_record_with_the_scores_of_evaluate() -> None:
    table = score_batch(answers())
    report = assay.evaluate(answers(), METRICS, settings=None)
    assert table.num_rows == 4
    for row, scores in zip(table.to_pylist(), report.scores, strict=True):
        assert (row["id"], row["score"], row["verdict"]) == (
            scores.id,
            scores.score,
            scores.verdict,
        )
        for metric in METRICS:
            assert row[metric] == scores[metric].value
            assert row[f"{metric}.verdict"] == scores[metric].verdict


def test_any_split_gives_the_same_rows() -> None:
    table = pa.Table.from_pylist(answers(12))
    whole = assay.score_batch(table, METRICS, settings=None)
    parts = [assay.score_batch(table.slice(n, 5), METRICS, settings=None) for n in (0, 5, 10)]
    assert pa.concat_tables(parts).equals(whole)


def test_an_empty_table_has_the_same_columns() -> None:
    rows = pa.Table.from_pylist(answers())
    nothing = assay.score_batch(rows.slice(0, 0), METRICS, settings=None)
    assert nothing.num_rows == 0
    assert nothing.schema.equals(assay.score_batch(rows, METRICS, settings=None).schema)


def test_records_that_cannot_be_read_keep_their_place() -> None:
    rows = [{**row, "duration": 1.0} for row in answers(3)]
    rows[1]["duration"] = -3.0
    table = score_batch(rows, detail="full").to_pylist()
    assert [row["id"] for row in table] == ["a0", None, "a2"]
    assert "row 2: 'duration' is -3.0" in table[1]["problem"]
    assert table[1]["details"] is None
    assert table[0]["problem"] is None


def test_a_batch_of_nothing_but_bad_records_is_no_error() -> None:
    table = score_batch([{**row, "duration": -1.0} for row in answers(2)])
    assert table["id"].to_pylist() == [None, None]
    assert all(table["problem"].to_pylist())


def test_thresholds_and_redaction_count_as_in_evaluate() -> None:
    rows = [{**row, "id": f"joe{n}@example.com"} for n, row in enumerate(answers(2))]
    table = score_batch(rows, thresholds={"text.coherence": 1.0}, redact=True, detail="full")
    report = assay.evaluate(
        rows, METRICS, thresholds={"text.coherence": 1.0}, redact=True, settings=None
    )
    assert table["id"].to_pylist() == [scores.id for scores in report.scores]
    assert "joe" not in json.dumps(table.to_pylist())
    verdicts = [scores["text.coherence"].verdict for scores in report.scores]
    assert table["text.coherence.verdict"].to_pylist() == verdicts


@pytest.mark.parametrize(("detail", "reasons"), [("full", set(METRICS)), ("failing", set())])
def test_reasons_are_a_column_of_json(detail: Any, reasons: set[str]) -> None:
    good = score_batch(answers(1), detail=detail).to_pylist()[0]
    assert set(json.loads(good["details"])) == reasons
    assert "details" not in score_batch(answers(1)).column_names


def test_own_metrics_and_columns() -> None:
    @assay.metric(id="own.length", inputs=("response",), range=(0, None), polarity="neutral")
    def length(response: str) -> assay.Result:
        return assay.Result(float(len(response)), "Its characters.")

    rows = [{"Reply of the bot": "Four"}]
    table = score_batch(rows, [length], map={"response": "Reply of the bot"})
    assert table.to_pylist()[0]["own.length"] == 4.0
    with pytest.raises(DataError, match="has no column 'Reply of the bot'"):
        score_batch(answers(1), map={"response": "Reply of the bot"})


def test_what_cannot_be_used_is_said() -> None:
    with pytest.raises(UsageError, match="needs metrics"):
        score_batch(answers(1), None)
    with pytest.raises(UsageError, match="expected pyarrow"):
        assay.score_batch(answers(1), METRICS, settings=None)
    with pytest.raises(ArgumentError, match="has no argument 'metric'"):
        score_batch(answers(1), metric="text")
