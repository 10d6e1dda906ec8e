import pytest

from assay.backends import Backends
from assay.core import Document, ModelError, Sample
from assay.evidence.baselines import BASELINES, cosines, field_pairs, text_ratio
from assay.evidence.probes import PROBES

FAKE = Backends(embedder="fake")
MODEL = FAKE.get("embedder")
RECORD = {"title": "deep learning for search", "year": 2002}


def number(name, **fields):
    function = {**BASELINES, **PROBES}[name]
    return function([Sample(**fields)], FAKE)[0]


def docs(*texts):
    return tuple(map(Document, texts))


@pytest.mark.parametrize(
    ("name", "fields", "expected"),
    [
        ("token_overlap", {"response": "The cat slept", "contexts": docs("a CAT ate")}, 0.5),
        ("token_overlap", {"response": "cat cat dog", "contexts": docs("cat", "x")}, 2 / 3),
        ("token_overlap", {"response": "is it?", "contexts": docs("it is")}, 0.0),
        ("token_overlap", {"response": "القطة نائمة", "contexts": docs("القطة هنا")}, 0.5),
        ("token_overlap", {"response": "cat"}, None),
        ("token_f1", {"response": "a b c", "expected": "b c d"}, 2 / 3),
        ("token_f1", {"response": "", "expected": ""}, 1.0),
        ("token_f1", {"response": "a"}, None),
        ("expected_overlap", {"response": "it is Paris, France", "expected": "paris"}, 1.0),
        ("expected_overlap", {"response": "Rome", "expected": "!"}, 0.0),
        ("expected_overlap", {"expected": "paris"}, None),
        ("accepted_overlap", {"response": "in December", "expected": "Dec./December"}, 1.0),
        (
            "accepted_overlap",
            {"response": "x b", "expected": "a", "metadata": {"accepted_answers": ["b c"]}},
            0.5,
        ),
        ("accepted_overlap", {"response": "x"}, None),
        ("accepted_f1", {"response": "cat", "expected": "cat/dog house"}, 1.0),
        ("query_overlap", {"query": "The capital of Spain?", "response": "Spain is big"}, 0.5),
        ("last_number", {"response": "so 1,200", "expected": "#### 1200.0"}, 1.0),
        ("last_number", {"response": "none", "expected": "3"}, 0.0),
        ("step_number", {"response": "x", "steps": ("a", "b")}, 2.0),
        ("contexts_length", {"contexts": docs("ab", "c")}, 3.0),
        ("figures_and_length", {"translations": {"ar": "٥ ab", "en": "5 ab"}}, 2.0),
        ("figures_and_length", {"translations": {"en": "5"}}, None),
        ("capital_pairs", {"response": "Ask John Ray Smith now"}, 3.0),
        ("negation_differs", {"response": "It is not", "contexts": docs("It is")}, 1.0),
        ("negation_differs", {"response": "ليس هنا", "contexts": docs("هو هنا")}, 1.0),
        ("negation_differs", {"response": "It is", "contexts": docs("It is")}, 0.0),
        ("same_names", {"tool_calls": ({"name": "f"},), "expected_tool_calls": ()}, 0.0),
        ("refusal_phrases", {"response": "I can't assist with that."}, 1.0),
        ("refusal_phrases", {"response": "Sure."}, 0.0),
        ("attack_phrases", {"query": "The weather is fine."}, 0.0),
        ("attack_phrases_in_contexts", {"contexts": docs("The weather is fine.")}, 0.0),
        ("attack_phrases_in_contexts", {}, None),
        ("profanity_list", {"response": "you are an idiot"}, 1.0),
        ("pii_patterns", {"response": "write to a.b@example.org"}, 1.0),
        ("danger_words", {"response": "The weather is fine."}, 0.0),
        ("generalisations", {"response": "The weather is fine."}, 0.0),
        ("character_ratio", {"response": "abcd", "expected": "bcde"}, 0.75),
        ("character_ratio", {"response": "abcd"}, None),
        ("length_ratio", {"response": "abcd", "expected": "ab"}, 0.5),
        ("length_ratio", {"response": "", "expected": ""}, 1.0),
        ("length_ratio", {"response": "abcd"}, None),
        ("response_length", {"response": "abcd"}, 4.0),
        ("response_length", {}, None),
        ("query_length", {"query": "abc"}, 3.0),
        ("query_length", {}, None),
        ("digit_share", {"response": "a1b2"}, 0.5),
        ("digit_share", {"response": ""}, 0.0),
        ("digit_share", {}, None),
        ("json_validity", {"response": "[1]"}, 1.0),
        ("json_validity", {"response": "[1"}, 0.0),
        ("json_validity", {}, None),
        ("json_words", {"response_json": RECORD, "expected_json": RECORD}, 1.0),
        ("json_words", {"response_json": {"a": "x y"}, "expected_json": {"a": "x z"}}, 0.5),
        ("json_words", {"response_json": {"a": "x"}, "expected_json": {"b": "x"}}, 0.0),
        ("json_words", {"response_json": {}, "expected_json": {}}, 0.0),
        ("json_words", {"response_json": "[1]", "expected_json": "{}"}, None),
        ("json_characters", {"response_json": '{"a": 1}', "expected_json": '{"a": 1}'}, 1.0),
        ("json_characters", {"response_json": {"a": 1}, "expected_json": {"a": 1}}, 1.0),
        ("json_characters", {"response_json": "x"}, None),
        ("json_fuzzy", {"response_json": {"a": "x y"}, "expected_json": {"a": "y x"}}, 1.0),
        ("json_fuzzy", {"response_json": {}, "expected_json": {}}, None),
        ("json_fuzzy", {"response_json": "{", "expected_json": "{}"}, None),
        ("json_semantic", {"response_json": RECORD, "expected_json": RECORD}, 1.0),
        ("json_semantic", {"response_json": "{}", "expected_json": "{}"}, None),
        ("json_semantic", {"response_json": "{", "expected_json": "{}"}, None),
        ("whole_response_embedding", {"response": "cat", "contexts": docs("cat")}, 1.0),
        ("whole_response_embedding", {"response": "cat"}, None),
    ],
)
def test_a_plain_rule_gives_its_number(name, fields, expected):
    assert number(name, **fields) == pytest.approx(expected, abs=1e-6)


def test_only_the_first_characters_of_the_contexts_are_embedded():
    far = docs("y " * 800, "cat")
    assert number("whole_response_embedding", response="cat", contexts=far) < 0.9
    assert number("whole_response_embedding", response="y", contexts=far) == pytest.approx(1.0)


def test_a_text_without_a_vector_gives_no_number():
    class Choosy:
        def embed(self, texts):
            return [ModelError("no") if text == "no" else MODEL.embed([text])[0] for text in texts]

    assert cosines([("a", "a"), ("a", "no"), None], Choosy())[1:] == [None, None]


def test_fields_without_a_value_on_both_sides_are_left_out_by_probes():
    wanted, found = {"a": "x y", "b": "z"}, {"a": "y x", "c": "w"}
    for name in PROBES:
        assert number(name, response_json=found, expected_json=wanted) == pytest.approx(1.0)
    assert number("json_fuzzy", response_json={"a": "x"}, expected_json={"b": "x"}) == 0.0


def test_fields_of_either_document_are_compared():
    sample = Sample(response_json='{"a": 1, "c": null}', expected_json={"b": "x", "a": 1})
    assert field_pairs(sample) == {"b": ("x", ""), "a": ("1", "1"), "c": ("", "")}


def test_long_texts_are_compared_quickly():
    assert text_ratio("ab" * 50_000, "ab" * 50_000) == 1.0


def test_counting_calls_needs_to_know_them():
    assert number("call_count", tool_calls=("a", "b")) == 2.0
    assert number("call_count", response="x") is None
