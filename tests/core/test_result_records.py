import pytest

from assay.core import Result, Scores, Span
from assay.core.result_records import DeclaredMetrics, ResultRecords

SPAN = Span("response", 0, 4, "hedge")


def result(value: float | None = 1.0, *, threshold: float | None = 0.5, **fields):
    verdict = None
    if value is not None and threshold is not None:
        verdict = "pass" if value >= threshold else "fail"
    return Result(
        value,
        "Because.",
        quality=value,
        threshold=threshold,
        signature="a.b|v:1",
        verdict=verdict,
        passed=None if verdict is None else verdict == "pass",
        gates=True,
    )._replace(**fields)


def records(*results: Result, detail="full"):
    made = ResultRecords(lambda _: "seconds", detail)
    return [made.record(Scores(str(n), {"a.b": one})) for n, one in enumerate(results)]


def test_the_first_record_declares_the_metric_and_has_all_fields():
    first, _ = records(result(), result())
    declared = {"signature": "a.b|v:1", "threshold": 0.5, "unit": "seconds", "gates": True}
    assert first == {"id": "0", "metrics": {"a.b": declared}, "scores": {"a.b": result().to_json()}}


def test_other_records_leave_out_what_is_declared_null_or_empty():
    _, second, third = records(result(), result(), result(None, state="missing", threshold=0.5))
    score = {"value": 1.0, "quality": 1.0, "passed": True, "verdict": "pass"}
    assert second == {
        "id": "1",
        "scores": {"a.b": {**score, "state": "ok", "explanation": "Because."}},
    }
    assert third["scores"]["a.b"] == {"state": "missing", "explanation": "Because."}


def test_false_and_zero_are_something():
    _, second = records(result(), result(0.0))
    assert second["scores"]["a.b"]["value"] == 0.0
    assert second["scores"]["a.b"]["passed"] is False


@pytest.mark.parametrize(
    "other",
    [
        result(threshold=0.9),
        result(threshold=None),
        result(gates=False),
        result(signature="a.b|v:2"),
    ],
)
def test_what_differs_from_the_declaration_is_said(other):
    declared = DeclaredMetrics()
    read = [declared.results(record)["a.b"] for record in records(result(), other)]
    for name in ("threshold", "gates", "signature"):
        assert read[1][name] == getattr(other, name)


def test_a_metric_that_comes_later_is_declared_where_it_comes():
    made = ResultRecords(lambda _: "")
    made.record(Scores("1", {"a.b": result()}))
    later = made.record(Scores("2", {"a.b": result(), "a.c": result(signature="a.c|v:1")}))
    assert later["metrics"].keys() == {"a.c"}
    assert "unit" not in later["metrics"]["a.c"]


def test_reasons_of_failing_scores_only():
    passed, failed, broken = records(
        result(evidence=(SPAN,)),
        result(0.0, evidence=(SPAN,), details={"n": 1}),
        result(None, state="error"),
        detail="failing",
    )
    assert passed["scores"]["a.b"] == {"value": 1.0, "passed": True}
    assert failed["scores"]["a.b"]["evidence"] == [SPAN._asdict()]
    assert failed["scores"]["a.b"]["details"] == {"n": 1}
    assert broken["scores"]["a.b"]["explanation"] == "Because."


def test_an_unsure_score_has_its_reason_too():
    (unsure,) = records(result(0.5, verdict="unsure", passed=None), detail="failing")
    assert unsure["scores"]["a.b"]["verdict"] == "unsure"
    assert unsure["scores"]["a.b"]["explanation"] == "Because."


def test_values_alone():
    unsure = result(0.5, verdict="unsure", passed=None, quality=0.25)
    scores = [
        record["scores"]["a.b"]
        for record in records(
            result(0.0), unsure, result(None, threshold=None, state="missing"), detail="values"
        )
    ]
    assert scores == [
        {"value": 0.0, "passed": False},
        {"value": 0.5, "quality": 0.25, "verdict": "unsure"},
        {"threshold": None, "state": "missing"},
    ]


def test_files_of_older_versions_are_read_as_they_are():
    old = Scores("1", {"a.b": result()}).to_json()
    assert DeclaredMetrics().results(old) == old["scores"]


@pytest.mark.parametrize("record", [None, [], {}, {"scores": 1}, {"scores": {"a.b": 1}}])
def test_what_holds_no_results_is_none(record):
    assert DeclaredMetrics().results(record) is None


def test_a_declaration_that_is_none_is_not_taken():
    record = {"metrics": {"a.b": 1}, "scores": {"a.b": {"value": 1.0}}}
    assert DeclaredMetrics().results(record) == {"a.b": {"value": 1.0}}
