"""Tables of tests as promptfoo writes them: what a cell of `__expected` means."""

import pytest

import assay
from assay.core import SampleError
from assay.data.check_kinds import kind_names, other_assertions
from assay.samples import read_samples, to_sample
from assay.samples.field_names import mapping


def checks(**record):
    return to_sample({"response": "Paris.", **record}, "1").checks


@pytest.mark.parametrize(
    ("cell", "check"),
    [
        ("contains: Paris", {"type": "contains", "value": "Paris"}),
        ("not-icontains:rome", {"type": "not-icontains", "value": "rome"}),
        ("contains-any: Paris, Lyon", {"type": "contains-any", "value": "Paris, Lyon"}),
        (
            "similar(0.8): Paris it is",
            {"type": "similar", "threshold": "0.8", "value": "Paris it is"},
        ),
        ("is-json", {"type": "is-json"}),
        ("latency(2000)", {"type": "latency", "threshold": "2000"}),
        ("grade: is polite", {"type": "llm-rubric", "value": "is polite"}),
        ("regex: a\nb", {"type": "regex", "value": "a\nb"}),
        ("Paris.", {"type": "equals", "value": "Paris."}),
        ("Paris: the capital", {"type": "equals", "value": "Paris: the capital"}),
        ("note: no kind of check", {"type": "equals", "value": "note: no kind of check"}),
    ],
)
def test_a_cell_is_an_assertion_or_the_answer_itself(cell, check):
    assert checks(__expected=cell) == (check,)


def test_the_columns_are_named_as_checks():
    read = mapping(("question", "__expected1", "__expected_answer"))
    assert read == {"question": "query", "__expected1": "checks"}


def test_several_columns_are_several_checks_with_one_title_and_share():
    record = {"__expected1": "contains: Paris", "__expected2": "", "__expected3": "max-length: 9"}
    titled = checks(**record, __metric="city")
    assert [(check["type"], check["metric"]) for check in titled] == [
        ("contains", "city"),
        ("max-length", "city"),
    ]
    (whole,) = checks(**record, __threshold="0.5")
    assert (whole["type"], whole["threshold"], len(whole["value"])) == ("assert-set", "0.5", 2)


def test_a_record_without_a_filled_cell_has_no_checks():
    sample = to_sample({"response": "Paris.", "__expected": "", "__threshold": "0.5"}, "1")
    assert not sample.checks
    assert "__expected" not in sample.metadata


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"__expected": "javascript: output.length < 9"}, "'javascript' would run a program"),
        ({"__expected": "fn: output.length < 9"}, "'javascript' would run a program"),
        ({"__expected": "moderation"}, "no kind of check here; choose the metrics of the family"),
        ({"__expected": "select-best: the shortest"}, "several systems; use assay rank"),
        ({"__expected": "contains: {{city}}"}, "holds a template"),
        ({"__expected": "contains: a", "checks": ["contains: b"]}, "'checks' and '__expected'"),
    ],
)
def test_what_cannot_be_checked_is_refused(record, message):
    with pytest.raises(SampleError, match=message):
        checks(**record)


def test_no_kind_of_ours_is_among_those_that_are_not_offered():
    assert not set(other_assertions()) & set(kind_names())


def test_a_table_of_tests_is_scored(tmp_path):
    path = tmp_path / "tests.csv"
    path.write_text(
        "question,output,__expected1,__expected2\n"
        'Capital of France?,Paris.,contains: Paris,"not-contains-any: Rome, Lyon"\n'
        "Capital of Italy?,Milan.,Rome.,\n",
        encoding="utf-8",
    )
    assert [len(sample.checks) for sample in read_samples(str(path))] == [2, 1]
    scores = assay.evaluate(str(path), ["check.passed"]).scores
    assert [score["check.passed"].passed for score in scores] == [True, False]
