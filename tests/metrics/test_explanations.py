"""Explanations read as a person would write them."""

import pytest

import assay


@pytest.mark.parametrize(
    ("metric", "response", "explanation"),
    [
        (
            "text.coherence",
            "This method always works for us. This method never works for us.",
            "Of 2 sentences 0 have fewer than 3 words and 0 repeat; 1 contradicting pair.",
        ),
        (
            "text.coherence",
            "Yes.",
            "Of 1 sentence 1 has fewer than 3 words and 0 repeat; 0 contradicting pairs.",
        ),
        ("chat.citation_accuracy", "It rose [1].", "The response holds 1 citation"),
    ],
)
def test_one_is_singular(metric: str, response: str, explanation: str) -> None:
    result = assay.score(response=response, metrics=[metric], settings=None)[metric]
    assert result.explanation.startswith(explanation)
