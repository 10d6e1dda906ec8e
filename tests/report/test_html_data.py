"""The data of a report has the shapes of the server's answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from assay import registry
from assay.core import FailureAnalysis, GateVerdict, Interval, Sample, Scores
from assay.core.jsontext import loads
from assay.report import About
from assay.report.html_data import MAX_GROUPS, ReportData, blank_sample
from assay.report.metric_data import declared, metric_data


def _data(run: Any, about: About | None = None) -> Any:
    data = ReportData(about or About())
    for sample, scores in run.scored:
        data.add(sample, scores)
    return loads(data.to_text(run.summary))


@pytest.fixture
def schemas() -> Any:
    pytest.importorskip("fastapi")
    from assay.server import schemas
    from assay.server.schemas import registry as of_metrics
    from assay.server.schemas import runs, tests

    return schemas, of_metrics, runs, tests


def test_every_answer_is_one_of_the_server(
    hostile: str, make_run: Callable[..., Any], schemas: Any
) -> None:
    _, of_metrics, runs, tests = schemas
    gate = GateVerdict(hostile, "flaky", True, hostile, 0.5, Interval(0.25, 0.75), 2)
    counts = dict.fromkeys(("calls", "cached", "prompt_tokens", "completion_tokens"), 7)
    judge = {**counts, "is_usage_estimated": True, "usd": 0.25}
    run = make_run(hostile, gates=(gate,), judge=judge)
    data = _data(run, About("a", "b", "2026-01-01", settings={"seed": 0}))
    assert data["run"]["gates"][0]["state"] == "flaky"
    assert data["run"]["judge"] == judge
    _same(runs.RunDetail, data["run"])
    for entry in data["metrics"]:
        _same(runs.RunMetric, entry)
    for page in data["registry"]:
        _same(of_metrics.MetricPage, page)
    for pattern in data["patterns"]:
        _same(tests.FailurePattern, pattern)
    shared = {entry["metric"]: entry for entry in data["metrics"]}
    for test in data["tests"]:
        _same(tests.TestDetail, _whole(test, data, shared))


def _same(model: Any, answer: dict[str, Any]) -> None:
    """The answer is valid, and no field of it is unknown to the server or left out."""
    read = loads(model.model_validate(answer).model_dump_json())
    assert read == answer


def _whole(test: dict[str, Any], data: Any, metrics: dict[str, Any]) -> dict[str, Any]:
    """A sample with all that the page fills in."""
    found = {name: value for name, value in test.items() if name not in ("language", "is_cut")}
    documents = [{**_DOCUMENT, **entry} for entry in test["sample"].get("contexts", ())]
    return {
        **found,
        "run": data["run"]["name"],
        "timestamp": data["run"]["created"],
        "sample": {**data["blank"], **test["sample"], "contexts": documents},
        "results": {
            id: {
                **_RESULT,
                "threshold": metrics.get(id, {}).get("threshold"),
                "signature": metrics.get(id, {}).get("signature", ""),
                "gates": metrics.get(id, {}).get("gates", True),
                **result,
            }
            for id, result in test["results"].items()
        },
    }


_DOCUMENT = dict.fromkeys(("id", "source", "page", "similarity_score"))
_RESULT = {
    "value": None,
    "quality": None,
    "passed": None,
    "verdict": None,
    "explanation": "",
    "evidence": [],
    "details": {},
}


def test_a_blank_sample_is_that_of_the_server(schemas: Any) -> None:
    *_, tests = schemas
    assert blank_sample() == tests.SampleEntry(id="").model_dump()


def test_what_is_declared_of_a_metric_is_what_the_server_answers(schemas: Any) -> None:
    _, of_metrics, *_ = schemas
    metric = registry.metrics()["text.safety"]
    assert set(declared(metric)) == set(of_metrics.MetricEntry.model_fields)
    assert set(metric_data(metric)) == set(of_metrics.MetricPage.model_fields)
    assert metric_data(metric)["examples"]
    assert metric_data(metric, has_examples=False)["examples"] == []


def test_samples_are_counted_by_tag_and_language(make_run: Callable[..., Any]) -> None:
    run = make_run("The answer is 42.")
    (bad, low), (_, high) = run.scored
    tagged = replace(bad, tags=("a", "b", "a"), duration=2.0)
    fine = Sample(response="نعم، المكتبة مفتوحة.", tags=("a",))
    low, high = replace(low, language="en"), replace(high, language="ar")
    run.scored[:] = [(tagged, low), (fine, high), (Sample(), Scores("x", {}))]
    found = _data(run)["run"]
    assert [(g["name"], g["total"], g["passed"], g["failed"]) for g in found["tag_groups"]] == [
        ("a", 2, 1, 1),
        ("b", 1, 0, 1),
    ]
    assert [g["name"] for g in found["language_groups"]] == ["ar", "en", "unknown"]
    assert found["tag_groups"][0]["pass_rate"] == 0.5
    assert found["tag_groups"][0]["avg_duration"] == 2.0
    assert found["language_groups"][2]["pass_rate"] is None


def test_groups_beyond_the_limit_are_not_counted(make_run: Callable[..., Any]) -> None:
    run = make_run("x")
    tags = tuple(f"tag {number}" for number in range(MAX_GROUPS + 5))
    run.scored[:] = [(replace(run.scored[0][0], tags=tags), run.scored[0][1])]
    assert len(_data(run)["run"]["tag_groups"]) == MAX_GROUPS


def test_kinds_of_failure_are_counted_over_all_samples(make_run: Callable[..., Any]) -> None:
    run = make_run("I do not know the answer to that question.")
    failure = FailureAnalysis("It does not know.", "Knowledge Gap", (), ("Teach it.",))
    (sample, scores), *_ = run.scored
    run.scored[:] = [(sample, replace(scores, failure=failure))] * 3
    (pattern,) = _data(run)["patterns"]
    assert pattern == {
        "category": "Knowledge Gap",
        "count": 3,
        "root_cause": "It does not know.",
        "recommendations": ["Teach it."],
    }


def test_metrics_that_are_not_installed_have_no_page(run: Any) -> None:
    data = _data(run)
    assert "custom.charm" in [entry["metric"] for entry in data["metrics"]]
    assert [page["id"] for page in data["registry"]] == [
        "text.safety",
        "text.coherence",
        "text.relevance",
    ]
