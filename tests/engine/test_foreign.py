"""What metrics that are not ours may give, and what becomes of it."""

from fractions import Fraction

import pytest

import assay
from assay.core import jsontext


def scored(given):
    @assay.metric(id="custom.any", inputs=("response",), range=(0, 1), polarity="higher")
    def any_metric(response):
        return given

    return assay.score(response="Fine.", metrics=[any_metric])["custom.any"]


@pytest.mark.parametrize("given", [1, True, 0.5, assay.Result(Fraction(1, 2), "Half.")])
def test_plain_numbers_are_results_too(given):
    result = scored(given)
    assert result.state == "ok"
    assert type(result.value) is float
    jsontext.dumps(result.to_json())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "the metric gave NoneType; expected assay.Result"),
        ("0.5", "the metric gave str"),
        (assay.Result(0.5, details={"words": {"a", "b"}}), "TypeError"),
        (assay.Result(0.5, details={"x": float("nan")}), "ValueError"),
        (assay.Result("high"), "ValueError"),
        (assay.Result(0.5, evidence=[("response", "a")]), "Error"),
    ],
)
def test_what_no_report_can_write_is_an_error(given, said):
    result = scored(given)
    assert result.state == "error"
    assert said in result.explanation
    jsontext.dumps(result.to_json())


def test_an_explanation_is_one_line():
    assert scored(assay.Result(0.5, "Two\nlines.")).explanation == "Two lines."
