import pytest

from assay.core import Result
from assay.features.usage import CallUsage, TokenUsage, estimate, inverted, priced, spent, usage


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({}, CallUsage("", None, None)),
        ({"model": " gpt-4o ", "prompt_tokens": 3, "completion_tokens": 0}, ("gpt-4o", 3, 0)),
        ({"model": 4, "prompt_tokens": "12"}, ("", 12, None)),
        ({"input_tokens": 5, "output_tokens": 7.0}, ("", 5, 7)),
        ({"prompt_tokens": 1, "input_tokens": 2}, ("", 1, None)),
        ({"prompt_tokens": None, "input_tokens": 2}, ("", 2, None)),
        ({"prompt_tokens": True, "completion_tokens": -1}, ("", None, None)),
        ({"prompt_tokens": 1.5, "completion_tokens": float("nan")}, ("", None, None)),
        ({"prompt_tokens": float("inf"), "completion_tokens": 10**30}, ("", None, None)),
        ({"prompt_tokens": "9" * 40, "completion_tokens": "²"}, ("", None, None)),
        ({"prompt_tokens": [1], "completion_tokens": {"n": 1}}, ("", None, None)),
    ],
)
def test_metadata_are_read_with_care(metadata, expected):
    assert usage(metadata) == expected


@pytest.mark.parametrize(("text", "tokens"), [("", 1), ("abc", 1), ("a" * 8, 2), (None, None)])
def test_the_documented_estimate(text, tokens):
    assert estimate(text) == tokens


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((CallUsage("m", 5, 7), None, None, None), TokenUsage(5, 7)),
        ((CallUsage("m", 5, None), None, "x" * 40, 9), TokenUsage(5, 9)),
        ((CallUsage("m", 5, None), None, "x" * 40, None), TokenUsage(5, 10, ("completion",))),
        (
            (CallUsage("m", None, None), "q" * 8, "", None),
            TokenUsage(2, 1, ("prompt", "completion")),
        ),
    ],
)
def test_tokens_are_counted_before_they_are_estimated(given, expected):
    assert spent(*given) == expected


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((CallUsage("", 5, 7), None, None, None), "The metadata name no 'model'."),
        ((CallUsage("m", None, 7), None, "r", None), "neither 'prompt_tokens' nor a query."),
        ((CallUsage("m", 5, None), "q", None, None), "neither 'completion_tokens' nor a response."),
    ],
)
def test_nothing_to_count_is_missing(given, said):
    found = spent(*given)
    assert isinstance(found, Result)
    assert found.state == "missing"
    assert found.explanation.endswith(said)


@pytest.mark.parametrize(
    ("amount", "limit", "expected"),
    [(0, 1, 1.0), (0.25, 1, 0.75), (1, 1, 0.0), (5, 1, 0.0), (0, 0, 1.0), (1, 0, 0.0)],
)
def test_less_is_better(amount, limit, expected):
    assert inverted(amount, limit) == expected


def test_an_estimate_is_said_and_marked():
    result = priced(0.5, "Much was spent", TokenUsage(1, 2, ("prompt", "completion")), {"usd": 1.0})
    assert result.state == "imputed"
    assert result.explanation == (
        "Much was spent; the tokens of the prompt and the completion are estimated."
    )
    assert result.details == {
        "usd": 1.0,
        "prompt_tokens": 1,
        "completion_tokens": 2,
        "estimated": True,
    }


def test_a_models_name_is_shown_in_quotes_and_cut():
    assert CallUsage("a\x1b", None, None).shown_model == r"'a\x1b'"
    assert len(CallUsage("x" * 500, None, None).shown_model) == 62
