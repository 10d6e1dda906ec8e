from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import DataError, Document, Result, Sample, Span
from assay.core.bounds import MAX_VALUE
from assay.store.packed_blocks import (
    Evidence,
    PackedBlock,
    pack_block,
    pack_evidence,
    pack_texts,
    unpack_texts,
)
from assay.store.packed_scores import in_order, pack_scores, unpack_scores
from assay.store.row_codec import (
    is_safe,
    rest_of,
    result_of,
    safe,
    sample_of,
)

texts = st.text(st.characters(), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
documents = st.builds(
    Document,
    content=texts,
    id=st.none() | texts,
    source=st.none() | texts,
    page=st.none() | st.integers(0, 99),
    similarity_score=st.none() | st.floats(0, 1),
)
some_texts = st.lists(texts, max_size=3).map(tuple)
samples = st.builds(
    Sample,
    id=texts,
    query=st.none() | texts,
    response=st.none() | texts,
    expected=st.none() | texts,
    contexts=st.lists(documents, max_size=3).map(tuple),
    known_facts=some_texts,
    tools_used=st.none() | some_texts,
    translations=st.dictionaries(texts, texts, max_size=2),
    response_json=json_values,
    duration=st.none() | st.floats(0, 1e6),
    tags=some_texts,
    metadata=st.dictionaries(texts, json_values, max_size=3),
)


def columns(sample):
    return {
        "query": safe(sample.query),
        "expected_response": safe(sample.expected),
        "actual_response": safe(sample.response),
    }


@given(samples)
def test_a_sample_comes_back_as_it_was(sample):
    assert sample_of(rest_of(sample), columns(sample)) == sample


@given(texts)
def test_what_a_column_holds_is_text_for_both_databases(text):
    held = safe(text)
    assert "\0" not in held
    held.encode()
    assert (held == text) == is_safe(text)


@given(
    st.builds(
        Result,
        value=st.none() | st.floats(-MAX_VALUE, MAX_VALUE),
        explanation=texts,
        evidence=st.lists(
            st.builds(Span, texts, st.integers(0, 9), st.integers(0, 9), texts), max_size=3
        ).map(tuple),
        details=st.dictionaries(texts.filter(lambda key: "\0" not in key), json_values, max_size=3),
        state=st.sampled_from(["ok", "missing", "imputed", "error"]),
        passed=st.none() | st.booleans(),
        unsure=st.none(),  # the engine has read it
        quality=st.none() | st.floats(0, 1),
        threshold=st.none() | st.floats(0, 1),
        verdict=st.sampled_from([None, "pass", "fail", "unsure"]),
        gates=st.booleans(),
    )
)
def test_a_result_comes_back_as_it_was(result):
    """Beside a result that is not there, through both tables."""
    thresholds = {"text.other": 0.5, "text.safety": 0.5}
    results = in_order({"text.safety": result}, thresholds)
    row = SimpleNamespace(**pack_scores(results, thresholds.values())._asdict())
    columns = ("samples", "explanations", "details", "evidence")
    block = PackedBlock(
        SimpleNamespace(**dict(zip(columns, pack_block([""], [results]), strict=True)))
    )
    ((metric, (place, score)),) = unpack_scores(row, thresholds).items()
    parts = block.explanations(0)[place], block.details(0)[place], block.evidence(0).get(place, ())
    expected = result._replace(metric="text.safety", signature="sig")
    assert result_of(metric, score, "sig", *parts) == expected


@given(st.lists(st.text(), min_size=1))
def test_texts_of_a_block_come_back_as_they_were(listed):
    assert unpack_texts(pack_texts(listed)) == listed


def test_spans_of_any_size_come_back_as_they_were():
    spans = (Span("response", 0, 2**40, "far"), Span("response", -1, 3))
    assert Evidence(pack_evidence([[(), spans]])).of(0) == {1: spans}


def test_a_metric_that_the_run_does_not_name_is_refused():
    with pytest.raises(DataError, match=r"the run has no metric 'text\.safety'"):
        in_order({"text.safety": Result(1.0)}, {"text.other": None})


def test_a_number_that_is_too_long_to_be_read_is_kept_as_text():
    sample = Sample(id="a", metadata={"n": 10**450})
    assert sample_of(rest_of(sample), columns(sample)).metadata == {"n": str(10**450)}


def test_texts_that_have_a_column_are_not_kept_twice():
    assert rest_of(Sample(query="a", response="b", expected="c")) == "{}"
    hostile = Sample(query="a\0", response="\ud800")
    assert sample_of(rest_of(hostile), columns(hostile)) == hostile
    assert "query" in rest_of(hostile)
    assert "query" not in rest_of(replace(hostile, query="a"))
