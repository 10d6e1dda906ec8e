from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from assay.core import Document, Result, Sample, Span
from assay.core.bounds import MAX_VALUE
from assay.store.row_codec import (
    is_safe,
    rest_of,
    result_of,
    safe,
    sample_of,
    score_row,
    spans_text,
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


class Row:
    def __init__(self, row):
        names = ("test_id", "metric_name", "metric_value", "threshold", "passed", "quality")
        names += ("state", "explanation", "details", "verdict", "gates")
        self.__dict__.update(zip(names, row, strict=True))


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
    row = Row(score_row(1, "text.safety", result))
    spans = spans_text(result.evidence) if result.evidence else None
    expected = replace_names(result)
    assert result_of(row, spans, "sig") == expected


def replace_names(result):
    return result._replace(metric="text.safety", signature="sig")


def test_texts_that_have_a_column_are_not_kept_twice():
    assert rest_of(Sample(query="a", response="b", expected="c")) == "{}"
    hostile = Sample(query="a\0", response="\ud800")
    assert sample_of(rest_of(hostile), columns(hostile)) == hostile
    assert "query" in rest_of(hostile)
    assert "query" not in rest_of(replace(hostile, query="a"))
