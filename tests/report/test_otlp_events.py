from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assay.core import Result, Sample, Scores
from assay.report.otlp_events import EvaluationEvents

SPAN = {"trace_id": "5b8a", "span_id": "ee19", "span_end": "1700", "response_id": "r1"}


def _events(*scored: tuple[Sample, Scores]) -> list[dict[str, Any]]:
    format = EvaluationEvents()
    texts = [format.sample(sample, scores) for sample, scores in scored]
    document = json.loads("".join(texts) + format.end(None))  # type: ignore[arg-type]
    (resource,) = document["resourceLogs"]
    (scope,) = resource["scopeLogs"]
    assert scope["scope"]["name"] == "assay"
    found: list[dict[str, Any]] = scope["logRecords"]
    return found


def _scores(**results: Result) -> Scores:
    return Scores("a", {name.replace("_", "."): result for name, result in results.items()})


def _plain(event: dict[str, Any]) -> dict[str, Any]:
    return {a["key"]: next(iter(a["value"].values())) for a in event["attributes"]}


def test_a_score_is_an_event_of_its_span() -> None:
    (event,) = _events((Sample(metadata=SPAN), _scores(a_b=Result(0.0, "Bad.", verdict="fail"))))
    assert event["eventName"] == "gen_ai.evaluation.result"
    assert (event["traceId"], event["spanId"], event["timeUnixNano"]) == ("5b8a", "ee19", "1700")
    assert _plain(event) == {
        "gen_ai.evaluation.name": "a.b",
        "gen_ai.evaluation.score.value": 0.0,
        "gen_ai.evaluation.score.label": "fail",
        "gen_ai.evaluation.explanation": "Bad.",
        "gen_ai.response.id": "r1",
    }


def test_states_and_absent_spans() -> None:
    found = _events(
        (Sample(), _scores(m=Result.missing("No."), i=Result.imputed(1.0, "Stand-in."))),
        (Sample(), _scores(o=Result(0.5, "Fair."), e=Result.error("ValueError: no."))),
        (Sample(metadata={"trace_id": 3, "span_id": "!"}), _scores(x=Result.error("It broke."))),
    )
    assert [_plain(event)["gen_ai.evaluation.name"] for event in found] == ["o", "e", "x"]
    assert [_plain(event).get("error.type") for event in found] == [None, "ValueError", "_OTHER"]
    assert "gen_ai.evaluation.score.value" not in _plain(found[1])
    assert "gen_ai.evaluation.score.label" not in _plain(found[0]), "no threshold"
    assert all(event.keys() == {"eventName", "attributes"} for event in found)


def test_no_event_is_still_a_document() -> None:
    assert _events() == []
    assert _events((Sample(), _scores(m=Result.missing("No.")))) == []


def test_hostile_text_stays_text(
    hostile: str, make_run: Callable[..., Any], tmp_path: Path
) -> None:
    written = make_run(hostile).write(tmp_path / "results.otlp.json")
    (resource,) = json.loads(written)["resourceLogs"]
    records = resource["scopeLogs"][0]["logRecords"]
    assert _plain(records[0]).get("gen_ai.evaluation.explanation", "") == hostile
