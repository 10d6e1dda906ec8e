from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from assay.core import Result, Sample, Scores, Span
from assay.core.jsontext import loads
from assay.report import html_samples
from assay.report.html_samples import WorstSamples, sample_data


def _kept(scores: list[float | None], response: str = "x", **limits: int) -> list[int]:
    worst = WorstSamples(**limits)
    for place, score in enumerate(scores):
        worst.add(place, Sample(response=response), Scores("", {}, score))
    return [int(loads(text)["test_id"]) - 1 for text in worst.texts()]


def _data(sample: Sample, results: dict[str, Result] | None = None) -> dict[str, Any]:
    return sample_data(0, sample, Scores(sample.id, results or {}, 0.5, False))


def _order(scores: list[float | None]) -> list[int]:
    """Places, the worst score first; equal ones as they came, those without a score last."""
    return sorted(range(len(scores)), key=lambda at: (scores[at] is None, scores[at] or 0.0, at))


@given(st.lists(st.none() | st.floats(0, 1), max_size=30), st.integers(1, 12))
def test_the_worst_are_kept_in_order(scores: list[float | None], most: int) -> None:
    assert _kept(scores, most=most) == _order(scores)[:most]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30), st.integers(1, 5000))
def test_no_more_is_kept_than_there_is_room_for(scores: list[float | None], room: int) -> None:
    found = _kept(scores, room=room)
    assert found == _order(scores)[: len(found)]
    assert len(found) >= 1


def test_one_huge_sample_is_kept_all_the_same() -> None:
    assert _kept([0.5], response="x" * 1000, room=10) == [0]


def test_absent_fields_and_what_metrics_share_are_left_out() -> None:
    result = Result.missing("No query.")._replace(threshold=0.5, signature="m|v:1")
    data = _data(Sample(id="a", response=""), {"text.relevance": result})
    assert data["sample"] == {"id": "a", "response": ""}
    assert data["results"] == {"text.relevance": {"state": "missing", "explanation": "No query."}}


def test_a_schema_has_the_name_of_the_server() -> None:
    assert _data(Sample(schema={"type": "object"}))["sample"]["json_schema"] == {"type": "object"}


def test_long_texts_and_lists_are_cut_and_it_is_said() -> None:
    many = html_samples.MAX_ENTRIES + 1
    result = Result(0.0, "Why.", [Span("response", at, at + 1) for at in range(many)])
    sample = Sample(
        response="x" * (html_samples.MAX_TEXT + 1),
        metadata={"deep": [{"a": "y" * (2 * html_samples.MAX_TEXT)}]},
        expected_json={str(at): at for at in range(many)},
    )
    data = _data(sample, {"a.x": result})
    assert data["is_cut"]
    assert data["sample"]["response"].endswith("xx…")
    assert len(data["sample"]["response"]) < html_samples.MAX_TEXT
    assert len(data["sample"]["metadata"]["deep"][0]["a"]) < html_samples.MAX_TEXT
    assert len(data["sample"]["expected_json"]) == html_samples.MAX_ENTRIES
    assert len(data["results"]["a.x"]["evidence"]) == html_samples.MAX_ENTRIES


def test_what_fits_is_not_said_to_be_cut() -> None:
    assert "is_cut" not in _data(Sample(response="x" * html_samples.MAX_TEXT))


def test_the_sample_itself_stays_as_it_is() -> None:
    metadata = {"list": ["x" * (html_samples.MAX_TEXT + 1)]}
    _data(Sample(metadata=metadata))
    assert len(metadata["list"][0]) == html_samples.MAX_TEXT + 1
