"""The scores of one sample, as programs read them."""

import pytest

from assay.core import Result, Scores, Span


def test_scores_are_asked_for_by_metric():
    scores = Scores("a", {"text.safety": Result(1.0), "text.cost": Result(0.5)})
    assert "text.safety" in scores
    assert "text.saftey" not in scores
    assert list(scores) == ["text.safety", "text.cost"]
    assert len(scores) == 2
    assert {id: result.value for id, result in scores.items()} == {
        id: scores[id].value for id in scores
    }
    assert scores.get("text.saftey") is None


def test_scores_without_any_result_are_still_scores():
    empty = Scores("a", {})
    assert len(empty) == 0
    assert bool(empty)


@pytest.mark.parametrize(
    ("count", "total", "marked", "explanation"),
    [
        (100, None, 100, "Words."),
        (100, 100, 100, "Words."),
        (137, None, 100, "Words; 100 of 137 places are marked."),
        (100, 137, 100, "Words; 100 of 137 places are marked."),
    ],
)
def test_an_explanation_says_how_much_evidence_is_shown(count, total, marked, explanation):
    spans = tuple(Span("response", place, place + 1) for place in range(count))
    result = Result(0.0, "Words.", spans).limited(total)
    assert (len(result.evidence), result.explanation) == (marked, explanation)
