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


def test_marks_of_wrong_steps_that_are_left_out_are_counted() -> None:
    response = "\n".join(f"Step {n}: {n} + 1 = {n}." for n in range(10, 140))
    metric = "agent.step_correctness"
    result = assay.score(response=response, metrics=[metric], settings=None)[metric]
    assert len(result.evidence) == 100
    assert result.explanation.endswith("; 100 of 130 places are marked.")
