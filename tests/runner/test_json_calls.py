import copy
import json
import re

import pytest

from assay.backends import Backends
from assay.core import ProfileError, SampleError, jsontext
from assay.core.errors import ArgumentError
from assay.data.json_options import JsonOptions
from assay.runner import json_calls
from assay.runner.json_calls import compare_json, compare_json_batch

FAKES = Backends(embedder="fake")
GT = {
    "name": "John Smith",
    "email": "john@example.com",
    "bio": "Senior engineer with 10 years of experience...",
    "internal_id": None,
    "status": "active",
}
AIO = {
    "name": "John Smyth",
    "email": "john@example.com",
    "bio": "Experienced senior engineer, 10+ years...",
    "internal_id": "abc123",
    "extra_field": "surprise",
}
CHOSEN = {"name": "FUZZY", "bio": "SEMANTIC"}
STUBS = {"name": 0.92, "bio": 0.88}


def test_the_documented_walkthrough_number_by_number():
    found = compare_json(GT, AIO, CHOSEN, similarities=STUBS)
    assert found.both_non_null == ("bio", "email", "name")
    assert found.aio_missing_or_null == ("status",)
    assert found.extra_keys == ("extra_field",)
    assert found.gt_null_aio_has_value == ("internal_id",)
    assert found.gt_keys == ("bio", "email", "internal_id", "name", "status")
    assert found.missing_keys == ("status",)
    assert found.completeness == 0.75
    assert found.hallucination == pytest.approx(1 / 3)
    scores = {f.field_name: (f.match_strategy, f.similarity, f.score) for f in found.field_scores}
    assert scores["name"] == ("FUZZY", 0.92, 1.0)
    assert scores["email"] == ("TYPED", 1.0, 1.0)
    assert scores["bio"] == ("SEMANTIC", 0.88, 1.0)
    assert found.accuracy == 1.0
    assert found.safety_score == 1.0
    assert found.rqs == pytest.approx(0.7375)
    assert found.rqs_normalized == pytest.approx(0.8875)
    assert (found.toxicity, found.tone, found.error) == (0.0, "neutral", None)


def test_fields_come_in_the_order_of_the_documents():
    names = [f.field_name for f in compare_json(GT, AIO, backends=FAKES).field_scores]
    assert names == [*GT, "extra_field"]


def test_texts_and_strategy_files_are_read(tmp_path):
    path = tmp_path / "fields.json"
    path.write_text(json.dumps(CHOSEN))
    texts = json.dumps(GT), json.dumps(AIO)
    assert compare_json(*texts, path, similarities=STUBS) == compare_json(
        GT, AIO, CHOSEN, similarities=STUBS
    )


def test_own_strategies_go_before_those_of_the_options():
    options = JsonOptions(strategies={"name": "EXACT", "status": "IGNORE"})
    found = compare_json(GT, {**GT, "status": "gone"}, {"name": "FUZZY"}, options=options)
    strategies = {f.field_name: f.match_strategy for f in found.field_scores}
    assert (strategies["name"], strategies["status"]) == ("FUZZY", "IGNORE")
    assert found.ignored_keys == ("status",)


def test_the_result_is_plain_data():
    record = compare_json(GT, AIO, backends=FAKES).to_json()
    assert jsontext.loads(jsontext.dumps(record)) == record
    assert record["field_scores"][0]["bucket"] == "both_non_null"


def test_an_output_that_is_not_json_scores_as_none_and_says_why():
    found = compare_json(GT, "Sure! Here it is.")
    assert "the output is not JSON" in found.error
    assert (found.completeness, found.hallucination, found.accuracy) == (0.0, 0.0, 0.0)
    assert found.rqs == pytest.approx(0.15)
    assert not found.is_vacuous


def test_a_damaged_output_is_repaired_only_when_asked():
    damaged = '```json\n{"a": 1, "b": 2,}\n```'
    assert compare_json({"a": 1, "b": 2}, damaged).error
    found = compare_json({"a": 1, "b": 2}, damaged, repair=True)
    assert (found.accuracy, found.error) == (1.0, None)
    assert found.notes[0].startswith("repaired: ")
    hopeless = compare_json({"a": 1}, "no JSON at all", repair=True)
    assert "cannot be repaired" in hopeless.error


def test_an_empty_output_passes_by_the_literal_rule_and_is_marked():
    found = compare_json({"a": "x"}, {})
    assert (found.rqs, found.is_vacuous) == (pytest.approx(0.60), True)
    strict = compare_json({"a": "x"}, {}, options=JsonOptions(vacuous_accuracy="zero"))
    assert strict.rqs == pytest.approx(0.15)
    absent = compare_json({"a": "x"}, {}, options=JsonOptions(vacuous_accuracy="none"))
    assert (absent.accuracy, absent.rqs) == (None, None)


def test_weights_are_options():
    options = JsonOptions(w_accuracy=0.7, w_completeness=0.3, w_safety=0.3)
    assert compare_json({"a": 1}, {"a": 1}, options=options).rqs == 1.0


def test_what_was_asked_for_is_safe_and_the_rest_is_not():
    assert compare_json({"m": "a@b.com"}, {"m": "a@b.com"}).safety_score == 1.0
    found = compare_json({"m": "x"}, {"m": "x", "n": "a@b.com, you stupid fool"}, backends=FAKES)
    assert found.safety_score == pytest.approx(0.85)
    assert (found.toxicity, found.tone) == (pytest.approx(0.15), "problematic")


@pytest.mark.parametrize("gt", ["{", "[1]", [1], None, 5])
def test_a_ground_truth_that_will_not_do_is_refused(gt):
    with pytest.raises(SampleError, match="the ground truth is"):
        compare_json(gt, {})


def test_a_wrong_strategy_is_refused_with_its_field():
    with pytest.raises(ProfileError, match="field 'a': the strategy is 'NEAR'"):
        compare_json({"a": 1}, {"a": 1}, {"a": "NEAR"})


def test_nested_documents_on_request():
    gt = {"items": [{"name": "tea", "price": "1,000 kg"}, {"name": "milk", "price": 2}]}
    aio = {"items": [{"name": "milk", "price": 2.004}, {"name": "tea", "price": 1000}]}
    options = JsonOptions(depth="nested", list_alignment="best", numeric_tolerance=0.01)
    strategies = {"items[*].price": {"strategy": "EXACT", "number_without_units": True}}
    found = compare_json(gt, aio, strategies, options=options, backends=FAKES)
    assert (found.completeness, found.hallucination, found.accuracy) == (1.0, 0.0, 1.0)
    assert found.both_non_null[0] == "items[0].name"
    assert compare_json(gt, aio).accuracy == 0.0


def test_several_outputs_beside_one_ground_truth():
    gt = {"a": 1, "b": 2}
    batch = compare_json_batch(gt, [{"a": 1, "b": 3}, {"a": 1, "b": 2}, '{"a": 1, "b": 2}', "no"])
    assert [round(r.rqs, 3) for r in batch.results] == [0.625, 0.85, 0.85, 0.15]
    assert (batch.best_index, batch.best_rqs) == (1, pytest.approx(0.85))
    assert batch.ranking == (1, 2, 0, 3)
    assert batch.mean_rqs == pytest.approx(0.61875)
    assert batch.variance == pytest.approx(0.0816796875)
    assert batch.std_dev == pytest.approx(batch.variance**0.5)
    assert batch.consistency == pytest.approx((1 + 1 / 2 + 1 / 2) / 6)
    assert batch.hallucination_rate == 0.5
    assert batch.mean_accuracy == pytest.approx(0.625)
    assert (batch.status, batch.reasons) == ("FAIL", ("consistency 0.333 < 0.5",))
    assert all(result.consistency == batch.consistency for result in batch.results)
    record = batch.to_json()
    assert jsontext.loads(jsontext.dumps(record)) == record


@pytest.mark.parametrize(
    ("outputs", "limits", "reasons"),
    [
        ([{"a": 1}], {}, ()),
        ([{"a": 2}], {}, ("mean accuracy", "mean RQS", "hallucination rate")),
        ([{"a": 2}, {"a": 1}], {}, ("consistency",)),
        ([{"a": 2}, {"a": 1}], {"min_consistency": 0}, ()),
        ([{"a": 2}], {"min_accuracy": 0, "min_rqs": 0, "max_hallucination_rate": 1}, ()),
        ([], {}, ()),
    ],
)
def test_the_status_of_a_batch(outputs, limits, reasons):
    batch = compare_json_batch({"a": 1}, outputs, **limits)
    assert len(batch.reasons) == len(reasons)
    pairs = zip(batch.reasons, reasons, strict=True)
    assert all(found.startswith(expected) for found, expected in pairs)
    assert batch.status == ("FAIL" if reasons else "PASS")


def test_fields_are_written_out_when_they_are_read_and_travel_with_the_result():
    found = compare_json({"a": "x", "b": None}, {"a": "X", "c": 1}, {"a": "EXACT"})
    assert "breakdown" not in vars(found)
    travelled = copy.deepcopy(found)
    assert travelled == found
    assert travelled.to_json() == found.to_json()
    assert [field.field_name for field in travelled.field_scores] == ["a", "b", "c"]
    assert travelled != compare_json({"a": "x"}, {"a": "X"}, {"a": "EXACT"})
    assert travelled != "a"


def test_repair_may_be_chosen_in_the_options():
    found = compare_json({"a": 1}, '{"a": 1,}', options=JsonOptions(repair=True))
    assert found.accuracy == 1.0
    assert found.notes == ("repaired: removed trailing commas",)


def test_equal_choices_that_are_other_objects_are_not_mixed_up():
    for threshold in (0.5, 0.99, 0.5):
        entry = {"a": {"strategy": "FUZZY", "threshold": threshold}}
        found = compare_json({"a": "green tea"}, {"a": "green tee"}, entry)
        assert found.accuracy == float(threshold < 0.9)


def test_zero_with_a_sign_is_another_text():
    options = JsonOptions(depth="nested", typed=False)
    assert compare_json({"a": [0.0]}, {"a": [-0.0]}, options=options).accuracy == 0.0
    assert compare_json({"a": [1.5]}, {"a": [1.5]}, options=options).accuracy == 1.0


def test_models_are_named_as_for_a_score(monkeypatch, tmp_path):
    used = []

    def compared(ground_truth, documents, options, similarities, backends):
        used.append(backends)
        return real(ground_truth, documents, options, similarities, backends)

    real = json_calls.compare_documents
    monkeypatch.setattr(json_calls, "compare_documents", compared)
    compare_json(GT, AIO, embedder="fake", judge="fake")
    compare_json_batch(GT, [AIO], embedder="none")
    compare_json(GT, AIO, embedder="none", backends=FAKES)
    compare_json({"a": 1}, {"a": 1})
    own = tmp_path / "own.toml"
    own.write_text('embedder = "fake"\njudge = "fake"\n', encoding="utf-8")
    compare_json(GT, AIO, settings=own, judge="none")
    assert [(one.embedder, one.judge) for one in used] == [
        ("fake", "fake"),
        ("", ""),
        ("fake", ""),
        ("use", ""),
        ("fake", ""),
    ]


def test_a_semantic_field_is_compared_by_the_named_model():
    fields = {"bio": "SEMANTIC"}
    by_model = compare_json(GT, AIO, fields, embedder="fake")
    without = compare_json(GT, AIO, fields, embedder="none")
    strategies = [
        {f.field_name: f.match_strategy for f in found.field_scores}["bio"]
        for found in (by_model, without)
    ]
    assert strategies == ["SEMANTIC", "FUZZY"]
    assert by_model == compare_json(GT, AIO, fields, backends=FAKES)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jugde", "compare_json() has no argument 'jugde'; did you mean 'judge'?"),
        ("workers", "compare_json() has no argument 'workers'"),
    ],
)
def test_an_unknown_argument_is_rejected(name, message):
    with pytest.raises(ArgumentError, match=re.escape(message)):
        compare_json({}, {}, **{name: 1})
