import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import ProfileError, Result, Span
from assay.scoring.dimensions import (
    DIMENSIONS,
    WEIGHTS,
    chosen_weights,
    dimension,
    lowest,
    percent_mean,
    weighted_mean,
)

SPAN = Span("response", 0, 4, "harsh")


def part(name, value, said="Why.", state="ok", evidence=(), **details):
    return Result(value, said, evidence, details, state, metric=f"governance.{name}")


def combined(*parts, name="security", include_imputed=False):
    return dimension(name, {result.metric: result for result in parts}, include_imputed)


def test_a_dimension_is_the_mean_of_its_metrics_in_percent():
    result = combined(part("a", 0.5, "Half of it."), part("b", 1.0), part("c", 0.75))
    assert (result.value, result.state) == (75.0, "ok")
    assert result.explanation == "The mean of 3 of 3 metrics; lowest is a at 0.50: Half of it."
    assert result.details["scores"] == {"a": 0.5, "b": 1.0, "c": 0.75}


def test_a_missing_metric_is_left_out_and_named():
    result = combined(part("a", 0.5), part("b", None, state="missing"))
    assert result.value == 50.0
    assert result.details["left_out"] == {"b": "missing"}
    assert result.explanation.startswith("The mean of 1 of 2 metrics")


def test_an_imputed_metric_is_left_out_unless_asked_for():
    parts = (part("a", 0.5), part("b", 1.0, state="imputed"))
    assert combined(*parts).value == 50.0
    with_it = combined(*parts, include_imputed=True)
    assert (with_it.value, with_it.state) == (75.0, "ok")
    assert with_it.details["imputed"] == ["b"]


def test_nothing_but_substitutes_is_a_substitute():
    substitute = part("a", 0.8, state="imputed")
    assert combined(substitute).state == "missing"
    assert combined(substitute).explanation.endswith("; imputed: 1.")
    assert combined(substitute, include_imputed=True).state == "imputed"


def test_without_scores_there_is_none():
    result = combined(part("a", None, state="missing"), part("b", None, state="missing"))
    assert (result.state, result.explanation) == (
        "missing",
        "None of its 2 metrics has a score of its own.",
    )


def test_a_failed_metric_does_not_make_the_dimension_look_better():
    result = combined(part("a", 1.0), part("b", None, "ValueError: broken.", state="error"))
    assert (result.state, result.value) == ("error", None)
    assert result.explanation == "b failed: ValueError: broken."


def test_the_evidence_is_that_of_the_lowest_metric():
    result = combined(part("a", 0.5, evidence=(SPAN,)), part("b", 0.9, evidence=(SPAN, SPAN)))
    assert result.evidence == (SPAN,)


def test_a_perfect_dimension_says_so():
    result = combined(part("a", 1.0, evidence=(SPAN,)), part("b", 1.0))
    assert result.explanation == "The mean of 2 of 2 metrics, all of them at 1."
    assert result.evidence == ()


VIOLATED = {"violated": True, "refused": False, "force_to_zero": "legal_compliance"}


@pytest.mark.parametrize(
    ("details", "value"),
    [
        (VIOLATED, 0.0),
        (VIOLATED | {"force_to_zero": ("security", "legal_compliance")}, 0.0),
        (VIOLATED | {"refused": True}, 50.0),
        (VIOLATED | {"violated": False}, 50.0),
        (VIOLATED | {"force_to_zero": "security"}, 50.0),
        (VIOLATED | {"force_to_zero": None}, 50.0),
        ({}, 50.0),
    ],
)
def test_a_policy_forces_its_dimension_to_zero(details, value):
    check = part("section_8_compliance", 0.0, "Clause 8(1)(a) was answered.", **details)
    result = combined(check, part("b", 1.0), name="legal_compliance")
    assert result.value == value
    assert ("Clause 8(1)(a)" in result.explanation) is True
    assert (result.details["forced_by"] == "section_8_compliance") is (value == 0.0)


def test_a_long_explanation_is_cut():
    result = combined(part("a", 0.0, "x" * 500 + "."))
    assert len(result.explanation) < 300
    assert result.explanation.endswith("….")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([1.0, 0.0], 50.0), ([None, 0.25], 25.0), ([None], None), ([], None), (None, None)],
)
def test_percent_mean(scores, expected):
    assert percent_mean(scores) == expected
    assert percent_mean(scores, is_forced=True) == 0.0


def test_default_weights_are_the_documented_ones():
    assert len(DIMENSIONS) == 9
    assert sum(WEIGHTS.values()) == pytest.approx(1.0)
    assert chosen_weights(None, "replace") == chosen_weights(None, "merge") == dict(WEIGHTS)


def test_weights_of_ones_own_replace_the_others_or_join_them():
    own = {"legal_compliance": 0.5, "security": 0.3}
    replaced = chosen_weights(own, "replace")
    assert {name: weight for name, weight in replaced.items() if weight} == own
    assert chosen_weights(own, "merge") == {**WEIGHTS, **own}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"legal": 1.0}, "weights name 'legal'; expected dimensions: bias_fairness, data_"),
        ({"security": -0.1}, "the weight of 'security' is -0.1; expected 0 or more"),
        ({"security": float("nan")}, "the weight of 'security' is nan; expected 0 or more"),
        ({"security": float("inf")}, "the weight of 'security' is inf; expected 0 or more"),
        ({"security": "much"}, "the weight of 'security' is 'much'; expected 0 or more"),
        ({"security": True}, "the weight of 'security' is True; expected 0 or more"),
        ({"security": 0.0}, "all weights are 0; expected at least one above 0"),
        ({}, "all weights are 0; expected at least one above 0"),
    ],
)
def test_weights_that_make_no_sense_are_refused(weights, message):
    with pytest.raises(ProfileError, match=message):
        chosen_weights(weights, "replace")


def test_an_unknown_mode_is_refused():
    with pytest.raises(ProfileError, match="mode is 'add'; expected 'replace' or 'merge'"):
        chosen_weights(None, "add")


def test_all_zero_is_fine_where_the_defaults_stay():
    assert chosen_weights({"security": 0}, "merge")["security"] == 0


SCORES = st.dictionaries(st.sampled_from(DIMENSIONS), st.none() | st.floats(0, 100))


@given(SCORES, st.dictionaries(st.sampled_from(DIMENSIONS), st.floats(0, 10)))
def test_the_overall_score_lies_between_its_parts(scores, weights):
    value = weighted_mean(scores, weights)
    present = [
        score for name, score in scores.items() if score is not None and weights.get(name, 0) > 0
    ]
    if value is None:
        assert not present or sum(weights.get(n, 0) for n in scores) < 1e-300
    else:
        assert min(present) - 0.01 <= value <= max(present) + 0.01


def test_the_overall_score_of_the_documented_weights_is_rounded():
    assert weighted_mean({"legal_compliance": 0.0, "security": 100.0}, {"security": 1 / 3}) == 100.0
    weights = {"legal_compliance": 0.5, "security": 0.3}
    assert weighted_mean({"legal_compliance": 0.0, "security": 88.0}, weights) == 33.0
    assert weighted_mean({"legal_compliance": None, "security": 88.123}, weights) == 88.12
    assert weighted_mean({"bias_fairness": 50.0}, weights) is None


@given(SCORES, st.integers(0, 9))
def test_the_lowest_come_first_and_equal_ones_by_name(scores, count):
    names = lowest(scores, count)
    assert names == sorted(names, key=lambda name: (scores[name], name))
    others = [s for n, s in scores.items() if n not in names and s is not None]
    assert len(names) == min(count, sum(score is not None for score in scores.values()))
    assert not names or not others or scores[names[-1]] <= min(others)
