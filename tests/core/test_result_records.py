import pytest

from assay.core import LazySpans, Result, Sample, Scores, Span
from assay.core.jsontext import dumps
from assay.core.result_records import (
    DeclaredMetrics,
    MetricFacts,
    ResultRecords,
)

SPAN = Span("response", 0, 4, "hedge")
SPANS = (SPAN, Span("response", 9, 12, "hedge"), Span("query", 1, 2, "hedge"), SPAN)
SHARE = MetricFacts("seconds", (0.0, 1.0), "higher")


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
    made = ResultRecords(lambda _: SHARE, detail)
    return [made.record(Sample(), Scores(str(n), {"a.b": one})) for n, one in enumerate(results)]


def test_the_first_record_declares_the_metric_and_has_all_fields():
    first, _ = records(result(), result())
    declared = {"signature": "a.b|v:1", "threshold": 0.5, "unit": "seconds", "gates": True}
    declared |= {"range": [0.0, 1.0], "polarity": "higher"}
    scores = {"a.b": result().to_json()}
    assert first == {"id": "0", "form": 3, "metrics": {"a.b": declared}, "scores": scores}


def test_other_records_leave_out_what_is_declared_null_or_empty():
    _, second, third = records(result(), result(), result(None, state="missing", threshold=0.5))
    score = {"value": 1.0, "quality": 1.0, "passed": True, "verdict": "pass", "state": "ok"}
    assert second == {"id": "1", "scores": {"a.b": {**score, "explanation": "Because."}}}
    assert third["scores"]["a.b"] == {"state": "missing", "explanation": "Because."}


def test_failing_records_leave_out_what_follows():
    _, second = records(result(), result(0.25, passed=False, verdict="fail"), detail="failing")
    score = {"value": 0.25, "verdict": "fail", "explanation": "Because."}
    assert second["scores"] == {"a.b": score}


def test_what_does_not_follow_is_said():
    odd = result(0.25, quality=0.5, passed=True, state="imputed")
    _, second, third = records(result(), odd, result(None, state="error"))
    said = {"quality": 0.5, "passed": True, "verdict": "fail", "state": "imputed"}
    assert second["scores"]["a.b"] == {"value": 0.25, **said, "explanation": "Because."}
    assert third["scores"]["a.b"]["state"] == "error"


def test_false_and_zero_are_something():
    _, second = records(result(), result(0.0))
    assert second["scores"]["a.b"]["value"] == 0.0
    assert second["scores"]["a.b"]["verdict"] == "fail"


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
    made = ResultRecords(lambda _: MetricFacts())
    made.record(Sample(), Scores("1", {"a.b": result()}))
    later = made.record(
        Sample(), Scores("2", {"a.b": result(), "a.c": result(signature="a.c|v:1")})
    )
    assert later["metrics"].keys() == {"a.c"}
    assert "unit" not in later["metrics"]["a.c"]


def test_neighbouring_spans_of_one_field_and_label_are_a_group():
    first, second = records(result(evidence=SPANS), result(evidence=SPANS))
    assert first["scores"]["a.b"]["evidence"] == [span._asdict() for span in SPANS]
    assert second["scores"]["a.b"]["evidence"] == [
        ["response", "hedge", 0, 4, 9, 12],
        ["query", "hedge", 1, 2],
        ["response", "hedge", 0, 4],
    ]


def test_lazy_spans_are_a_group():
    lazy, none = LazySpans("query", "x", lambda: [1, 2, 5, 9]), LazySpans("query", "x", list)
    _, second, third = records(result(), result(evidence=lazy), result(evidence=none))
    assert second["scores"]["a.b"]["evidence"] == [["query", "x", 1, 2, 5, 9]]
    assert "evidence" not in third["scores"]["a.b"]


def test_records_of_form_2_are_read():
    whole = {"a.b": result().to_json()}
    score = {"value": 0.25, "quality": 0.25, "passed": False, "verdict": "fail", "state": "ok"}
    span = SPAN._asdict()
    declared = DeclaredMetrics()
    declared.results({"id": "0", "form": 2, "metrics": {"a.b": {"gates": True}}, "scores": whole})
    read = declared.results({"id": "1", "scores": {"a.b": {**score, "evidence": [span]}}})
    assert read == {"a.b": {"gates": True, **score, "evidence": [span]}}
    columns = declared.results({"id": "2", "values": [0.25], "verdicts": "f"})["a.b"]
    assert (columns["passed"], columns["verdict"], columns["state"]) == (False, "fail", "ok")


def test_reasons_of_failing_scores_only():
    passed, failed, broken = records(
        result(evidence=(SPAN,)),
        result(0.0, evidence=(SPAN,), details={"n": 1}),
        result(None, state="error"),
        detail="failing",
    )
    assert (passed["values"], passed["verdicts"]) == ([1.0], "p")
    assert "scores" not in passed
    assert (failed["values"], failed["verdicts"]) == ([None], ".")
    assert failed["scores"]["a.b"]["evidence"] == [["response", "hedge", 0, 4]]
    assert failed["scores"]["a.b"]["details"] == {"n": 1}
    assert broken["scores"]["a.b"]["explanation"] == "Because."


def test_an_unsure_score_has_its_reason_too():
    (unsure,) = records(result(0.5, verdict="unsure", passed=None), detail="failing")
    assert unsure["scores"]["a.b"]["verdict"] == "unsure"
    assert unsure["scores"]["a.b"]["explanation"] == "Because."


def test_values_alone():
    other = result(0.5, verdict="unsure", passed=None, quality=0.25)
    missing = result(None, threshold=None, state="missing")
    first, unsure, last = records(result(0.0), other, missing, detail="values")
    assert (first["values"], first["verdicts"]) == ([0.0], "f")
    brief = {"value": 0.5, "quality": 0.25, "verdict": "unsure"}
    assert (unsure["verdicts"], unsure["scores"]["a.b"]) == (".", brief)
    assert last["scores"]["a.b"] == {"threshold": None}


VARIED = (
    result(evidence=SPANS, details={"rows": [{"a": 1, "b": None}, {"a": 2, "b": [3]}]}),
    result(0.25, evidence=SPANS[:1]),
    result(0.5, verdict="unsure", passed=None),
    result(0.75, quality=None),
    result(0.75, quality=0.1, threshold=0.9, passed=False, verdict="fail"),
    result(0.4, threshold=None, passed=None, verdict=None),
    result(0.8, state="imputed", details={"rows": [{"a": 1}, {"b": 2}]}),
    result(None, state="missing"),
    result(None, state="error", gates=False),
)
REASONS = ("explanation", "evidence", "details")


@pytest.mark.parametrize("detail", ["full", "failing", "values"])
@pytest.mark.parametrize("facts", [SHARE, MetricFacts(), MetricFacts("", (0.0, None), "lower")])
def test_what_was_written_is_read_again(detail, facts):
    made, declared = ResultRecords(lambda _: facts, detail), DeclaredMetrics()
    for number, one in enumerate((*VARIED, *VARIED[::-1])):
        scores = Scores(str(number), {"a.b": one, "a.c": result(signature="a.c")})
        read = declared.results(made.record(Sample(), scores))
        assert read.keys() == scores.results.keys()
        wanted = one.to_json()
        needs_reason = one.state == "error" or one.verdict in ("fail", "unsure")
        if detail == "values" or (detail == "failing" and not needs_reason):
            wanted = {name: part for name, part in wanted.items() if name not in REASONS}
        said = {name: part for name, part in wanted.items() if part not in ("", [], {})}
        assert {name: read["a.b"].get(name) for name in said} == said


def test_a_record_without_a_metric_tells_it_from_a_missing_value():
    made, declared = ResultRecords(lambda _: SHARE, "values"), DeclaredMetrics()
    both = {"a.b": result(), "a.c": result(signature="a.c")}
    declared.results(made.record(Sample(), Scores("1", both)))
    assert declared.results(made.record(Sample(), Scores("2", {"a.c": both["a.c"]}))).keys() == {
        "a.c"
    }


@pytest.mark.parametrize(
    "record",
    [
        {"form": 3, "values": 1, "verdicts": "p", "scores": {}},
        {"form": 3, "values": [1.0], "verdicts": ["p"], "scores": {}},
        {"form": 3, "metrics": {"a.b": {}}, "values": [1.0], "verdicts": "?", "scores": {}},
        {"form": 3, "values": [1.0, 2.0], "verdicts": "pp"},
    ],
)
def test_columns_that_cannot_be_read_give_no_results(record):
    assert DeclaredMetrics().results(record) == {}


def test_files_of_older_versions_are_read_as_they_are():
    old = Scores("1", {"a.b": result()}).to_json()
    assert DeclaredMetrics().results(old) == old["scores"]


@pytest.mark.parametrize("record", [None, [], {}, {"scores": 1}, {"scores": {"a.b": 1}}])
def test_what_holds_no_results_is_none(record):
    assert DeclaredMetrics().results(record) is None


def test_a_declaration_that_is_none_is_not_taken():
    record = {"metrics": {"a.b": 1}, "scores": {"a.b": {"value": 1.0}}}
    assert DeclaredMetrics().results(record) == {"a.b": {"value": 1.0}}


def test_one_of_several_answers_names_its_question():
    made = ResultRecords(lambda _: SHARE)
    sample = Sample(id="q#2", metadata={"repeat_of": "q"})
    assert made.record(sample, Scores("q#2", {"a.b": result()}))["repeat_of"] == "q"
    assert "repeat_of" not in made.record(Sample(), Scores("p", {"a.b": result()}))


@pytest.mark.parametrize("detail", ["full", "failing", "values"])
@pytest.mark.parametrize(
    "own",
    [
        *VARIED,
        result(0.0, evidence=SPANS, explanation="A \ud800 alone."),
        result(0.0, evidence=SPANS, explanation="الجواب \x85 ناقص."),
        result(0.0, evidence=(Span("response", 0, 4, 'a "hedge"\n'), SPAN)),
        result(0.0, evidence=(Span("response", 0, 4, "del\x7fete"), SPAN)),
        result(0.0, evidence=(Span("contexts[0]", 0, 4, "كلمة"), SPAN), explanation="\ud800"),
        result(0.0, evidence=(SPAN,), details={"mark": "\0"}),
        result(0.0, details={"mark": "\0"}),
        result(0.0, evidence=(SPAN,), details={"digits": 10**500}),
    ],
)
def test_text_is_the_record_as_compact_json(own, detail):
    by_text, by_record = (ResultRecords(lambda _: SHARE, detail) for _ in range(2))
    for id in ("first", "second"):
        scores = Scores(id, {"a.b": own, "a.c": result(0.0, evidence=SPANS)})
        record = by_record.record(Sample(), scores)
        assert by_text.text(Sample(), scores) == dumps(record, is_compact=True)
