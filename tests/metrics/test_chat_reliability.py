"""Stability, form, schemas and determinism."""

import pytest

from assay import registry
from assay.backends import Backends
from assay.core import Sample
from assay.engine import make_plan, score_batch
from assay.runner.verify import Vector, verify

FAKES = Backends(embedder="fake")
NONE = Backends(embedder="")
GROUP = registry.select(["chat.reliability"])


def score(id, backends=FAKES, **fields):
    (scores,) = score_batch(make_plan(registry.select([id]), backends=backends), [Sample(**fields)])
    return scores[id]


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"previous_similarities": [0.9, 0.8, 1.0]}, 90.0),
        ({"previous_similarities": [0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.5]}, 90.0),
        ({"previous_similarities": [], "response": "hello there friend"}, 75.0),
        ({"response": "hello there friend"}, 75.0),
        ({"previous_similarities": []}, None),
        ({"previous_similarities": None, "response": None}, None),
    ],
)
def test_stability(variables, expected):
    found = registry.rules()["chat.output_stability"](**variables)
    assert found == (None if expected is None else pytest.approx(expected))


def test_determinism_is_stability():
    for stability in (88.5, None):
        given = {"output_stability": stability}
        vector = Vector("chat.determinism_score", given, {}, stability, 0.0, "")
        assert list(verify([vector])) == [None]


def test_without_previous_responses_no_model_is_asked():
    result = score("chat.output_stability", NONE, response="The office opens at nine.")
    assert (result.value, result.state) == (100.0, "imputed")
    result = score("chat.determinism_score", NONE, response="The office opens at nine.")
    assert (result.value, result.state) == (100.0, "imputed")


def test_a_model_that_is_absent_is_an_error_of_both():
    fields = {"response": "tea", "previous_responses": ("tea",)}
    for id in ("chat.output_stability", "chat.determinism_score"):
        result = score(id, NONE, **fields)
        assert result.state == "error"
        assert "no embedder is configured" in result.explanation


def test_the_least_alike_response_is_shown():
    previous = ("old", "tea", "tea", "tea", "tea", "wine")
    result = score("chat.output_stability", response="tea", previous_responses=previous)
    assert len(result.details["similarities"]) == 5
    (span,) = result.evidence
    assert (span.field, span.label) == ("previous_responses[5]", "least alike")


def test_violations_are_told_with_path_keyword_and_message():
    schema = {"properties": {"a": {"type": "integer"}}, "required": ["b"]}
    result = score("chat.schema_compliance_strict", response='{"a": "x"}', schema=schema)
    assert result.value == 0.0
    assert {(v["path"], v["keyword"]) for v in result.details["violations"]} == {
        ("/a", "type"),
        ("", "required"),
    }
    assert result.explanation == "The response breaks the schema in required, type."


def test_a_broken_schema_is_an_error_and_says_why():
    schema = {"$ref": "http://127.0.0.1:9/schema.json"}
    result = score("chat.schema_compliance_strict", response="{}", schema=schema)
    assert (result.state, result.value) == ("error", None)
    assert "the schema cannot be used" in result.explanation
    assert "http://127.0.0.1:9/schema.json" in result.explanation


@pytest.mark.parametrize(
    "response",
    [
        "",
        "\ud800",
        '"\\ud800"',
        "[" * 100_000,
        "[" * 450 + "]" * 450,
        '{"a":' * 450 + "1" + "}" * 450,
        "9" * 10_000,
        "1e999",
        '{"a": 1, "a": 2}',
        '{"\\u0000": "\\u0000"}',
        "[" + "1," * 50_000 + "1]",
        '"' + "x" * 200_000 + '"',
        "NaN",
        "\ufeff{}",
    ],
    ids=str.__len__,
)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "string", "pattern": "^(x+)+y$"},
        {"$defs": {"n": {"items": {"$ref": "#/$defs/n"}, "maxItems": 3}}, "$ref": "#/$defs/n"},
        {"additionalProperties": {"$ref": "#"}, "type": ["object", "null"]},
        {"uniqueItems": True},
        False,
        None,
    ],
)
def test_hostile_responses_do_no_harm(response, schema):
    sample = Sample(response=response, responses=(response, response), schema=schema)
    (scores,) = score_batch(make_plan(GROUP, backends=FAKES), [sample])
    for result in scores.results.values():
        assert result.state != "error", result.explanation
        assert result.explanation.isprintable()
        assert len(result.explanation) < 300
        for span in result.evidence:
            assert 0 <= span.start < span.end <= len(response)


def test_pairs_of_states():
    sample = Sample(response="The office opens at nine.")
    (scores,) = score_batch(make_plan(GROUP, backends=FAKES), [sample])
    assert {id.partition(".")[2]: result.state for id, result in scores.results.items()} == {
        "determinism_repeats": "missing",
        "determinism_score": "imputed",
        "output_stability": "imputed",
        "output_validity": "ok",
        "schema_compliance": "imputed",
        "schema_compliance_strict": "missing",
    }
