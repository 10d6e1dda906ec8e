import pytest

from assay.runner.verify import Vector, verify


def failures(metric, inputs, expected, **params):
    vector = Vector(metric, inputs, params, expected, 1e-9, "")
    return [failure.reason for failure in verify([vector]) if failure]


@pytest.mark.parametrize(
    ("metric", "inputs", "expected", "params"),
    [
        ("chat.top_k_accuracy", {"similarity": 0.4}, 0.5, {}),
        ("chat.normalized_similarity", {"similarity": 0.4}, 0.5, {}),
        ("chat.normalized_similarity_score", {"similarity": 0.45}, 0.5, {"k_threshold": 0.9}),
        ("chat.accuracy", {"similarity_score": 0.83}, 0.83, {"threshold": 0.9}),
        ("chat.accuracy", {"similarity_score": 0.83, "expected_response": None}, 0.83, {}),
        ("chat.accuracy", {"similarity_score": None, "expected_response": None}, None, {}),
        ("chat.is_relevant", {"similarity": 0.6}, True, {"threshold": 0.6}),
        ("chat.accuracy.passed", {"score": 0.7}, True, {}),
        ("chat.determinism_score", {"output_stability": 88.5}, 88.5, {}),
        ("chat.determinism_score", {"output_stability": None}, None, {}),
        ("chat.throughput", {"duration": 2, "response": "xxxx", "chars_per_token": 2}, 1.0, {}),
        ("json.completeness", {"gt": {"a": 1, "b": 2}, "aio": {"a": 3}}, 0.5, {}),
        ("json.completeness", {"gt": {"a": 1}, "aio": None}, None, {}),
        (
            "json.completeness",
            {"gt": {"a": 1, "b": 2}, "aio": {"a": 3}},
            1.0,
            {"field_strategies": {"b": "IGNORE"}, "ignore_scope": "all"},
        ),
        ("json.hallucination", {"gt": {"a": 1}, "aio": {"a": 1, "b": None}}, 0.5, {}),
        (
            "json.hallucination",
            {"gt": {"a": 1}, "aio": {"a": 1, "b": None}},
            0.0,
            {"count_null_extras": False},
        ),
        (
            "json.accuracy",
            {"gt": {"a": "x", "b": 1}, "aio": {"a": "y", "b": 1}, "similarities": {"a": 0.9}},
            1.0,
            {"field_strategies": {"a": "FUZZY"}},
        ),
        (
            "json.accuracy",
            {"gt": {"a": "x", "b": 1}, "aio": {"a": "y", "b": 1}, "similarities": {"a": 0.9}},
            0.5,
            {"field_strategies": {"a": "FUZZY"}, "fuzzy_threshold": 0.95},
        ),
        ("text.metric_score.passed", {"value": 0.5, "threshold": 0.5}, True, {}),
        ("text.metric_score.passed", {"value": 0.4, "threshold": 0.5}, False, {}),
        ("text.metric_score.passed", {"value": 0.4}, True, {}),
        ("text.custom_example", {"output": "A perfectly normal answer"}, 0.9, {}),
        ("text.custom_example", {"output": "An ERROR occurred here"}, 0.0, {}),
    ],
)
def test_a_vector_holds(metric, inputs, expected, params):
    assert failures(metric, inputs, expected, **params) == []


@pytest.mark.parametrize(
    ("metric", "inputs"),
    [
        ("chat.hallucination_detected", {"fact_similarities": [0.2]}),
        ("chat.semantic_similarity", {"embedding_a": [1, 0], "embedding_b": [1]}),
        ("chat.semantic_similarity", {"embedding_a": ["x"], "embedding_b": [1]}),
        ("chat.step_correctness", {"step_similarities": [1.0]}),
    ],
)
def test_inputs_that_do_not_fit_a_rule_are_one_failure(metric, inputs):
    (reason,) = failures(metric, inputs, 1.0)
    assert reason.startswith("the inputs do not fit the rule: ")
