"""The scores of one sample, as programs read them."""

import pickle
from copy import copy, deepcopy
from weakref import ref

import pytest

from assay.core import LazySpans, Result, Scores, Span
from assay.core.result import find_evidence


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


def test_lazy_spans_are_looked_for_once_and_only_when_they_are_read():
    looked: list[str] = []

    def find() -> list[int]:
        looked.append("")
        return [0, 3, 5, 9]

    spans = LazySpans("response", "hedge", find)
    first = Result(0.5, "Two.", spans).limited(2).evidence
    assert first is spans
    assert not looked
    both = (Span("response", 0, 3, "hedge"), Span("response", 5, 9, "hedge"))
    assert spans == both
    assert both == spans
    assert (len(spans), spans[1], spans[:1], [*spans]) == (2, both[1], both[:1], [*both])
    assert len(looked) == 1


def test_a_copy_of_lazy_spans_is_a_tuple():
    spans = LazySpans("query", "x", lambda: [1, 2])
    own = (Span("query", 1, 2, "x"),)
    copies = (copy(spans), deepcopy(spans), pickle.loads(pickle.dumps(spans)))  # noqa: S301 -- its own
    for one in copies:
        assert (type(one), one) == (tuple, own)
    assert (repr(spans), hash(spans)) == (repr(own), hash(own))


def test_lazy_spans_without_places_are_empty():
    spans = LazySpans("query", "x", list)
    assert not spans
    assert spans == ()


def test_lazy_spans_are_limited_without_a_look():
    def find() -> list[int]:
        return [place for start in range(200) for place in (start, start + 1)]

    result = Result(0.5, "Many.", LazySpans("query", "x", find)).limited(200)
    assert result.explanation == "Many; 100 of 200 places are marked."
    assert [span.start for span in result.evidence] == [*range(100)]


def test_results_that_are_kept_hold_no_texts():
    class Text:
        def places(self) -> list[int]:
            return [1, 2]

    text = Text()
    spans, gone = LazySpans("query", "x", text.places), ref(text)
    find_evidence([Result(1.0, evidence=spans)])
    del text
    assert gone() is None
    assert spans == (Span("query", 1, 2, "x"),)
