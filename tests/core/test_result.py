"""The scores of one sample, as programs read them."""

from assay.core import Result, Scores


def test_scores_are_asked_for_by_metric():
    scores = Scores("a", {"text.safety": Result(1.0), "text.cost": Result(0.5)})
    assert "text.safety" in scores
    assert "text.saftey" not in scores
    assert list(scores) == ["text.safety", "text.cost"]
    assert len(scores) == 2


def test_scores_without_any_result_are_still_scores():
    empty = Scores("a", {})
    assert len(empty) == 0
    assert bool(empty)
