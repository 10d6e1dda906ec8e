import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import SampleError
from assay.core.json_path import parse_path
from assay.data.json_options import JsonOptions
from assay.jsoncompare.document import JsonDocument, read_document, words_of
from assay.jsoncompare.pairing import ABSENT, pair
from assay.metrics.json.classify import classify

SCALARS = (
    st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from(["", " ", "a", "A b", "1"])
)
KEYS = st.sampled_from(["a", "b", "c.d", "", "e[0]", "مدينة"])
INNER = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(KEYS, INNER, max_size=5)
CHOICES = st.builds(
    JsonOptions,
    depth=st.sampled_from(["top", "nested"]),
    list_alignment=st.sampled_from(["order", "best"]),
    list_order_matters=st.sampled_from([None, True, False]),
    ignore_scope=st.sampled_from(["accuracy", "all"]),
    count_null_extras=st.booleans(),
    max_alignment=st.sampled_from([0, 250_000]),
    strategies=st.sampled_from([{}, {"a": "IGNORE"}, {"b": {"a": "FUZZY"}}, {"*[*]": "IGNORE"}]),
)
many = settings(max_examples=300, derandomize=True, deadline=None)


def paired(gt, aio, **options):
    return pair(gt, JsonDocument(aio), JsonOptions(**options))


def names(pairing):
    return [field.name for field in pairing.fields]


@many
@given(DOCUMENTS, DOCUMENTS, CHOICES)
def test_buckets_part_the_fields_and_shares_lie_between_0_and_1(gt, aio, options):
    pairing = pair(gt, JsonDocument(aio), options)
    found = names(pairing)
    assert len(found) == len(set(found)) == sum(map(len, pairing.buckets.values()))
    assert 0 <= pairing.completeness <= 1
    assert 0 <= pairing.hallucination <= 1
    assert 0 <= pairing.hallucination_rate_of_output <= 1


@many
@given(DOCUMENTS, CHOICES)
def test_a_document_beside_itself_is_complete_and_invents_nothing(document, options):
    pairing = pair(document, JsonDocument(document), options)
    assert (pairing.completeness, pairing.hallucination) == (1.0, 0.0)
    assert all(field.gt == field.aio for field in pairing.fields)


@many
@given(DOCUMENTS, DOCUMENTS)
def test_top_level_keys_are_parted_as_documented(gt, aio):
    found = classify(gt, aio)
    expected = {key for key, value in gt.items() if value not in (None, "", " ")}
    assert found["gt_non_null"] == sorted(expected)
    assert found["extra_keys"] == sorted(aio.keys() - gt.keys())
    delivered = {key for key in expected if aio.get(key) not in (None, "", " ")}
    assert found["both_non_null"] == sorted(delivered)
    assert found["aio_missing_or_null"] == sorted(expected - delivered)


@many
@given(DOCUMENTS, DOCUMENTS, st.randoms())
def test_the_order_of_keys_does_not_matter(gt, aio, random):
    def turned(document):
        items = list(document.items())
        random.shuffle(items)
        return dict(items)

    one, other = (paired(a, b, depth="nested").buckets for a, b in ((gt, aio), (turned(gt), aio)))
    assert one == other


def put(document, steps, value):
    """Write a value at its path, making what lies on the way."""
    for step, following in pairwise(steps):
        fresh = {} if isinstance(following, str) else []
        if isinstance(step, str):
            document = document.setdefault(step, fresh)
        else:
            if step == len(document):
                document.append(fresh)
            document = document[step]
    if isinstance(document, dict):
        document[steps[-1]] = value
    else:
        document.append(value)


@many
@given(DOCUMENTS)
def test_a_flattened_document_can_be_put_together_again(document):
    whole = {}
    for field in paired(document, document, depth="nested").fields:
        put(whole, parse_path(field.name), field.gt)
    assert whole == document
    assert json.dumps(whole) == json.dumps(document)


@pytest.mark.parametrize(
    ("gt", "aio", "buckets"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"a.b": "both", "a.c": "missing"}),
        ({"a": {"b": 1, "c": 2}}, {"a": None}, {"a.b": "missing", "a.c": "missing"}),
        ({"a": {"b": 1, "c": 2}}, {}, {"a.b": "missing", "a.c": "missing"}),
        ({"a": {"b": 1}}, {"a": 5}, {"a": "both"}),
        ({"a": None}, {"a": {"b": 1, "c": 2}}, {"a": "null"}),
        ({}, {"a": {"b": 1, "c": [2]}}, {"a.b": "extra", "a.c[0]": "extra"}),
        ({"a": []}, {"a": []}, {"a": "both"}),
        ({"a": []}, {"a": [1]}, {"a[0]": "extra"}),
        ({"a": [1]}, {"a": []}, {"a[0]": "missing"}),
        ({"a": [1, 2]}, {"a": [1, 2, 3]}, {"a[0]": "both", "a[1]": "both", "a[2]": "extra"}),
        ({"a": [1]}, {"a": {"b": 1}}, {"a": "both"}),
        ({"a": [None]}, {"a": [None]}, {"a[0]": "skipped"}),
        ({"a.b": 1}, {"a.b": 1}, {'["a.b"]': "both"}),
    ],
)
def test_documents_are_opened_as_documented(gt, aio, buckets):
    full = {
        "both": "both_non_null",
        "missing": "aio_missing_or_null",
        "null": "gt_null_aio_has_value",
        "extra": "extra_keys",
        "skipped": "skipped",
    }
    found = paired(gt, aio, depth="nested")
    assert {f.name: f.bucket for f in found.fields} == {n: full[b] for n, b in buckets.items()}


def test_lists_are_paired_by_likeness_and_extra_items_come_last():
    gt = {"items": [{"name": "tea", "price": 3}, {"name": "milk", "price": 1}]}
    aio = {"items": [{"name": "rice"}, {"name": "milk", "price": 2}, {"name": "tea", "price": 3}]}
    found = paired(gt, aio, depth="nested", list_alignment="best")
    assert {f.name: f.aio for f in found.fields if f.aio is not ABSENT} == {
        "items[0].name": "tea",
        "items[0].price": 3,
        "items[1].name": "milk",
        "items[1].price": 2,
        "items[2].name": "rice",
    }


def test_a_list_may_have_a_key_of_its_own():
    gt = {"items": [{"id": 1, "n": "a"}, {"id": 2, "n": "b"}], "tags": ["x", "y"]}
    aio = {"items": [{"id": 2, "n": "b"}, {"id": 1, "n": "a"}], "tags": ["y", "x"]}
    options = {"strategies": {"items": {"strategy": "AUTO", "list_key": "id"}}}
    found = {f.name: (f.gt, f.aio) for f in paired(gt, aio, depth="nested", **options).fields}
    assert found["items[1].n"] == ("b", "b")
    assert found["tags[0]"] == ("x", "y")


def test_moved_items_are_missing_and_extra_where_order_matters():
    gt, aio = {"a": ["x", "y", "z"]}, {"a": ["z", "x", "y"]}
    loose = paired(gt, aio, depth="nested", list_alignment="best")
    strict = paired(gt, aio, depth="nested", list_alignment="best", list_order_matters=True)
    assert (loose.completeness, loose.hallucination) == (1.0, 0.0)
    assert (strict.completeness, strict.hallucination) == (2 / 3, 1 / 4)


def test_a_path_with_a_strategy_is_not_opened():
    gt = {"a": {"b": 1}, "items": [{"n": 1, "x": [1]}]}
    found = paired(gt, gt, depth="nested", strategies={"a": "FUZZY", "items[*].x": "IGNORE"})
    assert [(f.name, f.strategy) for f in found.fields] == [
        ("a", "FUZZY"),
        ("items[0].n", "EXACT"),
        ("items[0].x", "IGNORE"),
    ]


def test_many_items_fall_back_and_say_so():
    gt = {"a": [f"w{n}" for n in range(30)], "b": [f"v{n}" for n in range(30)]}
    aio = {"a": [f"w{n}x" for n in range(30)], "b": [f"v{n}x" for n in range(30)]}
    found = paired(gt, aio, depth="nested", list_alignment="best", max_alignment=100)
    (note,) = found.notes
    assert note.startswith("'a' and 1 more lists: too many items")
    assert paired(gt, aio, depth="nested", list_alignment="best").notes == ()


def test_ignored_fields_leave_accuracy_or_every_score():
    gt, aio = {"a": 1, "b": 2}, {"b": 2, "c": 3}
    strategies = {"a": "IGNORE", "c": "IGNORE"}
    literal = paired(gt, aio, strategies=strategies)
    assert (literal.completeness, literal.hallucination) == (0.5, 1 / 3)
    scoped = paired(gt, aio, strategies=strategies, ignore_scope="all")
    assert (scoped.completeness, scoped.hallucination) == (1.0, 0.0)


def test_null_extra_keys_may_be_left_out():
    assert paired({"a": 1}, {"a": 1, "b": None}).hallucination == 0.5
    assert paired({"a": 1}, {"a": 1, "b": None}, count_null_extras=False).hallucination == 0.0


@pytest.mark.parametrize("alignment", ["order", "best"])
def test_deep_documents_need_no_recursion(alignment):
    deep = {"a": [1, 2]}
    for _ in range(480):
        deep = {"a": deep, "b": 1}
    other = json.loads(json.dumps(deep))
    found = paired(deep, other, depth="nested", list_alignment=alignment)
    assert len(found.fields) == 482
    lists = [1, [2, 3]]
    for _ in range(240):
        lists = [lists, 1]
    found = paired({"a": lists}, {"a": lists[::-1]}, depth="nested", list_alignment=alignment)
    assert found.completeness == (1.0 if alignment == "best" else found.completeness)


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("{", "the output is not JSON: Expecting property name"),
        ('{"a": 1, "a": 2}', "the key 'a' appears twice"),
        ('{"a": NaN}', "NaN is not a JSON number"),
        ("[1]", "the output is a list; expected an object"),
        ("5", "the output is a number; expected an object"),
        ('"a"', "the output is text; expected an object"),
        ("null", "the output is null; expected an object"),
        ("true", "the output is true or false; expected an object"),
        ({"a": float("nan")}, "nan is not a JSON number"),
        ({"a": {1, 2}}, "a value of type 'set' is not JSON"),
        ({0: 1}, "the key 0 is not text"),
    ],
)
def test_an_output_that_cannot_be_compared_has_the_scores_of_none(output, reason):
    found = pair({"a": 1, "b": None}, read_document(output), JsonOptions())
    assert reason in found.error
    assert (found.completeness, found.hallucination) == (0.0, 0.0)
    assert found.buckets == {"aio_missing_or_null": ["a"], "skipped": ["b"]}


def test_a_python_value_that_is_too_deep_is_refused():
    deep = []
    for _ in range(2000):
        deep = [deep]
    assert "nested deeper" in read_document(deep).problem


@pytest.mark.parametrize("gt", ["{", [1], 5, "5", "null", {"a": float("inf")}])
def test_a_ground_truth_that_will_not_do_is_an_error(gt):
    with pytest.raises(SampleError, match="the ground truth is"):
        pair(gt, JsonDocument({}), JsonOptions())


def test_words_of_a_document():
    document = {"a": ["x", {"b": 5}], "c": "line\nbreak", "d": None, "e": True}
    assert words_of(JsonDocument(document)) == "a\nx\nb\n5\nc\nline\nbreak\nd\ne"
