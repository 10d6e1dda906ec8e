"""Evidence of the answer family is never cut without a word."""

import pytest

import assay


@pytest.mark.parametrize(
    ("figures", "marked", "note"),
    [(60, 60, "as asked for."), (130, 100, "; 100 of 130 places are marked.")],
)
def test_relevance_marks_every_figure_that_was_asked_for(figures, marked, note):
    scores = assay.score(
        query="How many apples are in the baskets?",
        response=" ".join(f"There are {count + 2} apples." for count in range(figures)),
        metrics=["answer.relevance"],
        settings=None,
        embedder="none",
        encoder="none",
    )
    result = scores["answer.relevance"]
    assert len(result.evidence) == marked
    assert result.explanation.endswith(note)
