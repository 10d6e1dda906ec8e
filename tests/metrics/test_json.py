"""The json family through the engine: options of a profile, models, and hostile outputs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import registry
from assay.backends import Backends
from assay.core import Sample, jsontext
from assay.data import Profile
from assay.data.json_options import JsonOptions
from assay.engine import make_plan, score_batch
from assay.features import json_comparison

FAKES = Backends(embedder="fake")
TEXTS = (
    st.text()
    | st.text(st.characters(exclude_categories=()))
    | st.sampled_from(
        [
            '{"a": 1}',
            "[",
            "[" * 2000,
            "{}",
            "null",
            '{"a": "damn. You"}',
            '{"b. C": [1, {"c": "x"}]}',
        ]
    )
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=10,
)
SAMPLES = st.builds(
    Sample,
    response=st.none() | TEXTS,
    expected_json=st.none() | st.dictionaries(TEXTS, VALUES, max_size=4),
    response_json=VALUES,
    responses=st.lists(TEXTS, max_size=4).map(tuple),
)


def scored(*samples, backends=FAKES, **options):
    profile = Profile(json_options=JsonOptions(**options))
    plan = make_plan(registry.select(["json"]), profile, backends=backends)
    return score_batch(plan, samples)


@pytest.mark.parametrize("options", [{}, {"depth": "nested", "list_alignment": "best"}])
@settings(max_examples=100, derandomize=True, deadline=None)
@given(samples=st.lists(SAMPLES, min_size=1, max_size=3))
def test_hostile_documents(options, samples):
    together = scored(*samples, **options)
    alone = [scored(sample, **options)[0] for sample in samples]
    assert together == alone
    for scores in together:
        for result in scores.results.values():
            assert result.state != "error", result
            assert result.value is None or 0 <= result.value <= 1
            said = result.explanation
            assert said[0].isupper() or said[0].isdigit()
            assert said.isprintable()
            assert said.endswith(".")
            assert len(said) < 300
            assert not any(f"{stop} {said[0]}" in said[1:] for stop in ".!?")
        record = scores.to_json()
        assert jsontext.loads(jsontext.dumps(record)) == record


def test_choices_come_from_the_profile_and_stand_in_the_signature():
    sample = Sample(expected_json={"a": "x", "b": 1}, response_json={"a": "y", "b": 1})
    (plain,) = scored(sample)
    (chosen,) = scored(sample, strategies={"a": "IGNORE"})
    assert (plain["json.accuracy"].value, chosen["json.accuracy"].value) == (0.5, 1.0)
    assert plain["json.accuracy"].signature != chosen["json.accuracy"].signature
    assert plain["json.completeness"].signature != chosen["json.completeness"].signature


def test_rules_ask_no_model():
    for metric in registry.select(["json&@rules"]):
        (step,) = make_plan([metric], backends=FAKES).shown
        assert "embedder" not in step.signature
        assert "judge" not in step.signature


def test_without_an_embedder_the_score_says_how_it_was_made():
    sample = Sample(expected_json={"a": "John Smith"}, response_json={"a": "John Smyth"})
    (scores,) = scored(sample, backends=Backends(embedder=""), typed=False)
    result = scores["json.accuracy"]
    assert result.value == 1.0
    assert "no embedder is configured" in result.explanation
    assert result.details["notes"]


def test_a_script_that_the_embedder_does_not_read_is_an_error_and_rqs_has_none():
    text = "ከተማው ትልቅ ነው"
    sample = Sample(expected_json={"a": text}, response_json={"a": text + " እና"})
    (scores,) = scored(sample, backends=Backends(embedder="use"), typed=False)
    assert scores["json.accuracy"].state == "error"
    assert "script" in scores["json.accuracy"].explanation
    assert scores["json.rqs"].state == "error"
    assert scores["json.completeness"].value == 1.0


def test_the_judge_takes_the_place_of_letters_and_embedder():
    sample = Sample(expected_json={"a": "green tea"}, response_json={"a": "tea green"})
    (scores,) = scored(sample, backends=Backends(embedder="", judge="fake"))
    assert scores["json.accuracy"].value == 1.0
    assert "judge:fake" in scores["json.accuracy"].signature


def test_vacuous_accuracy_is_flagged_up_to_the_composite():
    sample = Sample(expected_json={"a": "x"}, response_json={})
    (scores,) = scored(sample)
    assert scores["json.accuracy"].details["vacuous"]
    assert scores["json.rqs"].details["vacuous"]
    (none,) = scored(sample, vacuous_accuracy="none")
    assert none["json.accuracy"].state == "missing"
    assert none["json.rqs"].state == "missing"


def test_an_unparseable_output_is_flagged_everywhere():
    (scores,) = scored(Sample(expected_json={"a": 1}, response="Sorry."))
    for name in ("completeness", "accuracy", "hallucination"):
        result = scores[f"json.{name}"]
        assert (result.value, result.details["unparseable"]) == (0.0, True)
        assert result.explanation.startswith("The output is not JSON: ")
    assert scores["json.rqs"].details["unparseable"]


def test_many_fields_are_listed_in_part():
    expected = {f"k{n}": 1 for n in range(500)}
    (scores,) = scored(Sample(expected_json=expected, response_json={}))
    details = scores["json.completeness"].details
    assert (len(details["missing"]), details["missing_more"]) == (100, 400)


def test_many_different_outputs_are_compared_in_part():
    outputs = tuple(f'{{"a": {n}}}' for n in range(400))
    (scores,) = scored(Sample(responses=outputs))
    assert scores["json.consistency"].details["compared"] == 300


DAMAGED = Sample(expected_json={"a": 1, "b": 2}, response='```json\n{"a": 1, "c": 3,}\n```')


def test_a_damaged_response_is_no_answer_unless_repair_is_chosen():
    (plain,), (repaired,) = scored(DAMAGED), scored(DAMAGED, repair=True)
    assert [plain[f"json.{name}"].value for name in ("completeness", "accuracy")] == [0.0, 0.0]
    assert [repaired[f"json.{name}"].value for name in ("completeness", "accuracy")] == [0.5, 1.0]
    assert plain["json.accuracy"].details["unparseable"]
    assert plain["json.accuracy"].signature != repaired["json.accuracy"].signature


@pytest.mark.parametrize("name", ["completeness", "hallucination", "accuracy", "rqs"])
def test_a_repaired_output_is_reported_as_such(name):
    (scores,) = scored(DAMAGED, repair=True)
    result = scores[f"json.{name}"]
    assert "(the output was repaired)" in result.explanation
    assert result.details["repaired"]


def test_an_output_that_needs_no_repair_is_not_said_to_be_repaired():
    (scores,) = scored(Sample(expected_json={"a": 1}, response='{"a": 1}'), repair=True)
    for result in scores.results.values():
        assert "repaired" not in result.explanation
        assert "repaired" not in result.details


def test_repair_holds_for_several_outputs():
    sample = Sample(responses=('{"a": 1,}', '{"a": 1}'), expected_json={"a": 1})
    (scores,) = scored(sample, repair=True)
    assert scores["json.consistency"].value == 1.0
    assert scores["json.consistency"].details["repaired"] == 1


def test_an_output_given_twice_is_compared_once(monkeypatch):
    calls = []
    pair = json_comparison.pair
    monkeypatch.setattr(json_comparison, "pair", lambda *args: calls.append(1) or pair(*args))
    both = Sample(expected_json={"a": 1}, response_json={"a": 1}, response="not JSON")
    (scores,) = scored(both)
    assert len(calls) == 1
    assert scores["json.accuracy"].value == 1.0
