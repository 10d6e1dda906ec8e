"""Formulas of the composites, the costs and the wording metrics, against plain versions."""

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay import registry
from assay.backends import Backends
from assay.core import MissingExtraError, Result, Sample
from assay.data import Profile, prices
from assay.engine import make_plan, score_batch
from assay.scoring.dimensions import DIMENSIONS, PREFIX

RULES = registry.rules()
METRICS = registry.metrics()
SHARE = st.floats(0, 1)
TOKENS = st.integers(0, 10**7)


def score(id, options=None, **fields):
    profile = Profile(options={id: options or {}})
    plan = make_plan([METRICS[id]], profile, backends=Backends(embedder="fake"))
    return score_batch(plan, [Sample(**fields)])[0][id]


def test_every_dimension_combines_the_metrics_of_its_folder():
    for name in DIMENSIONS:
        combined = METRICS[PREFIX + name].options["metrics"]
        in_folder = {id for id, m in METRICS.items() if (m.family, m.group) == ("governance", name)}
        assert set(combined) <= in_folder
        assert in_folder - set(combined) == {
            id for id in in_folder if any(id.startswith(f"{part}_") for part in combined)
        }, "what a dimension leaves out must be a variant"
        assert len(set(combined)) == len(combined)


def test_the_catalog_counts_thirty_nine_metrics():
    counts = RULES["governance.catalog"]()
    assert list(counts) == list(DIMENSIONS)
    assert list(counts.values()) == [4, 4, 4, 5, 4, 6, 4, 4, 4]


def test_the_overall_score_combines_all_dimensions():
    combined = METRICS["governance.overall_score"].options["metrics"]
    assert combined == tuple(PREFIX + name for name in DIMENSIONS)


def test_groups_select_dimensions():
    assert {m.id for m in registry.select(["governance.dim"])} == {PREFIX + n for n in DIMENSIONS}
    assert "governance.citation_format" in {
        m.id for m in registry.select(["governance.legal_compliance"])
    }


@pytest.mark.parametrize("name", DIMENSIONS)
def test_every_dimension_has_its_rule(name):
    rule = RULES[PREFIX + name]
    assert rule(metric_scores=[0.5, None, 1.0]) == 75.0
    assert rule(metric_scores=[]) is None
    assert rule(metric_scores=None) is None


@pytest.mark.parametrize(
    ("violated", "refused", "expected"),
    [(True, False, 0.0), (True, True, 50.0), (False, False, 50.0), (None, None, 50.0)],
)
def test_legal_compliance_is_forced_only_by_an_answered_exempt_matter(violated, refused, expected):
    rule = RULES["governance.dim.legal_compliance"]
    given = {"section_8_violated": violated, "properly_refused": refused}
    assert rule(metric_scores=[0.0, 1.0], **given) == expected


def test_overall_rule_with_weights():
    rule = RULES["governance.overall_score"]
    scores = {"legal_compliance": 0.0, "security": 100.0, "bias_fairness": None}
    assert rule(dimensions=scores) == 40.0
    assert rule(dimensions=scores, weights={"security": 2}) == 100.0
    merged = rule(dimensions=scores, weights={"security": 0.15}, weights_mode="merge")
    assert merged == 50.0
    assert rule(dimensions={}) is None
    assert rule(dimensions=None) is None


def test_reasoning_rule():
    rule = RULES["governance.reasoning"]
    assert rule(dimensions={"b": 1.0, "a": 1.0, "c": None, "d": 0.0}) == ["d", "a", "b"]
    assert rule(dimensions={}) == []
    assert rule(dimensions={"a": 1.0, "b": 2.0}, count=1) == ["a"]


@given(SHARE, SHARE)
def test_f1_is_the_harmonic_mean(accuracy, completeness):
    value = RULES["governance.f1_score"](accuracy=accuracy, completeness=completeness)
    assert 0 <= value <= 1
    if accuracy > 1e-6 and completeness > 1e-6:
        assert isclose(value, 2 / (1 / accuracy + 1 / completeness), rel_tol=1e-9)
    else:
        assert value <= 2e-6


def test_f1_of_nothing():
    rule = RULES["governance.f1_score"]
    assert rule(accuracy=0, completeness=0) == 0.0
    assert rule(accuracy=None, completeness=0.5) is None


def test_f1_fails_with_its_parts():
    parts = {"governance.accuracy": Result.error("Broken."), "b": Result(1.0)}
    assert METRICS["governance.f1_score"](parts).state == "error"


@given(TOKENS, TOKENS)
def test_cost_is_linear_in_tokens(prompt, completion):
    usd = RULES["governance.inference_cost.usd"]
    found = usd(prompt_tokens=prompt, completion_tokens=completion, model="claude-3-opus")
    assert isclose(found, (prompt * 15 + completion * 75) / 1e6, abs_tol=1e-12)
    result = score(
        "governance.inference_cost",
        metadata={"model": "gpt-4o", "prompt_tokens": prompt, "completion_tokens": completion},
    )
    expected = max(0.0, 1 - (prompt * 5 + completion * 15) / 1e6 / 0.01)
    assert isclose(result.value, expected, abs_tol=1e-9)


@pytest.mark.parametrize("model", [None, "house-model", ""])
def test_an_unknown_model_has_no_price(model):
    usd = RULES["governance.inference_cost.usd"]
    assert usd(prompt_tokens=1, completion_tokens=1, model=model) is None


def test_a_price_that_is_none_is_an_error_that_says_so():
    result = score(
        "governance.inference_cost",
        {"default_price": {"input": -1.0, "output": 1.0}},
        metadata={"model": "house-model", "prompt_tokens": 1, "completion_tokens": 1},
    )
    assert result.state == "error"
    assert "'default_price' is -1.0; expected a number of 0 or more" in result.explanation


def test_flop_and_energy_by_model_or_figure():
    flop, kwh = (
        RULES["governance.compute_intensity.flop"],
        RULES["governance.energy_consumption.kwh"],
    )
    assert flop(tokens=230, flop_per_token=8e11) == flop(tokens=230, model="gpt-4o") == 1.84e14
    assert flop(tokens=2, model="house-model") is None
    assert flop(tokens=2, model="house-model", default_flop_per_token=3.0) == 6.0
    assert flop(tokens=2, flop_per_token=0.0) == 0.0
    assert flop(tokens=None, flop_per_token=1.0) is None
    assert flop(tokens=2) is None
    assert kwh(flop=None) is None
    assert kwh(flop=1e12, kwh_per_tflop=1.0) == 1.0


@pytest.mark.parametrize(
    ("id", "name", "limit"),
    [
        ("governance.inference_cost", "usd", 0.01),
        ("governance.compute_intensity", "flop", 1e15),
        ("governance.energy_consumption", "kwh", 0.04),
    ],
)
def test_raw_values_are_turned_into_scores(id, name, limit):
    rule = RULES[id]
    assert rule(**{name: 0}) == 1.0
    assert rule(**{name: limit / 4}) == 0.75
    assert rule(**{name: 9 * limit}) == 0.0
    assert rule(**{name: None}) is None
    assert rule(**{name: limit, f"{name}_limit": 2 * limit}) == 0.5


@given(SHARE, st.floats(0, 1))
def test_efficiency_lies_between_offer_and_one(value, cost):
    found = RULES["governance.cost_efficiency"](value=value, cost=cost)
    assert value <= found <= 1.0
    if cost >= 0.01:
        assert found == value
    elif cost > 1e-9:
        assert isclose(found, min(1.0, value * 0.01 / cost), rel_tol=1e-9)


@pytest.mark.parametrize(
    "id",
    ["governance.inference_cost", "governance.compute_intensity", "governance.energy_consumption"],
)
def test_without_the_extra_there_is_no_score_but_a_hint(id, monkeypatch):
    def absent(name, *_):
        raise MissingExtraError('the package is not installed; it comes with the extra "cost"')

    monkeypatch.setattr("assay.data.prices.require", absent)
    for cached in (prices._ecologits, prices._ecologits_model):
        cached.cache_clear()
    options = {"prices": "genai-prices"} if id.endswith("cost") else {"figures": "ecologits"}
    metadata = {"model": "gpt-4o", "prompt_tokens": 1, "completion_tokens": 1}
    result = score(id, options, metadata=metadata)
    assert result.state == "missing"
    assert 'extra "cost"' in result.explanation


@given(st.lists(st.sampled_from(["tax", "road", "budget", "hill", "bridge", "ميزانية"])), st.text())
def test_relevance_is_the_share_of_keywords(keywords, other):
    query = f"what is the {' '.join(keywords)}?"
    half = keywords[: len(keywords) // 2]
    result = score("governance.relevance", query=query, response=" ".join(half))
    if keywords:
        assert isclose(result.value, len(set(half)) / len(set(keywords)))
    else:
        assert (result.value, result.state) == (0.7, "imputed")
    assert score("governance.relevance", query=query, response=other).value <= 1
