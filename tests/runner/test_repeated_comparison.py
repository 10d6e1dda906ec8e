"""Answers to one question are one pair of a comparison, wherever two runs are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import assay
from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.sides import open_side
from assay.store import Store, open_store

QUESTIONS, TIMES = 5, 10
FAST = {"embedder": "none", "encoder": "none"}
CHECKS = [{"contains": "Paris"}]


def records(wrong: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    """Questions that were answered several times; all answers to some of them are wrong."""
    return [
        {
            "id": f"q{n}",
            "query": f"Question {n}?",
            "responses": ["Rome" if n in wrong else "Paris"] * TIMES,
            "checks": CHECKS,
        }
        for n in range(QUESTIONS)
    ]


def evaluate(samples: list[dict[str, Any]], **options: Any) -> assay.Report:
    options = {"score_repeats": True, **FAST, **options}
    return assay.evaluate(samples, ["check.passed"], **options)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    """Runs of which the second has one question wrong, ten times, and a third without repeats."""
    url = f"sqlite:///{tmp_path}/assay.db"
    evaluate(records(), run="before", store=url)
    evaluate(records(wrong=(0,)), run="after", store=url)
    apart = [
        {**record, "id": f"{record['id']}-{n}", "response": text, "repeat_of": record["id"]}
        for n in range(TIMES)
        for record in records(wrong=(0,))
        for text in record.pop("responses")[:1]
    ]
    evaluate(apart, run="apart", store=url, score_repeats=False)
    opened = open_store(url)
    yield opened
    opened.close()


@pytest.mark.parametrize("name", ["after", "apart"])
@pytest.mark.parametrize("by", ["id", "query"])
def test_ten_wrong_answers_to_one_of_five_questions_prove_nothing(
    store: Store, name: str, by: Any
) -> None:
    """Of fifty independent pairs, ten lost ones would have a p of 0.002."""
    a, b = open_side("before", store), open_side(name, store)
    comparison = compare_runs(a, b, CompareOptions(by=by))
    assert (comparison.pairs, comparison.only_b, comparison.repeated) == (QUESTIONS, 0, 0)
    for change in comparison.metrics:
        assert (change.pairs, change.changed) == (QUESTIONS, 1)
        assert change.difference == pytest.approx(-1 / QUESTIONS)
        assert change.p == 1.0
        assert change.verdict == "too few samples"
    assert any("50 answers to 5 questions" in note for note in comparison.notes)
    (sample,) = comparison.samples
    assert (sample.query, sample.response_a, sample.response_b) == ("Question 0?", "Paris", "Rome")
