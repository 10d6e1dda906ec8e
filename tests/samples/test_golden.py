import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from assay.core import DataError, Document, Sample, UsageError, jsontext
from assay.samples import GoldenDataset, read_samples
from assay.samples.convert import is_json

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=12)
"""Lone surrogates and NUL included."""
UNICODE = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
COUNTS = st.none() | st.integers(0, 2**63 - 1)
SECONDS = st.none() | st.floats(0, 1e9)


def json_values(text: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | text
        | st.sampled_from(["null", "{}", '["a"]', '"a"', "1"]),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
        max_leaves=6,
    )


def samples(
    text: st.SearchStrategy[str], plain: st.SearchStrategy[str]
) -> st.SearchStrategy[Sample]:
    """Samples with every field; `plain` is the text of fields that a table holds as they are."""
    plain = plain | st.sampled_from(["[a]", '["a"]', '{"text": "a"}', "a;b", " a ", "1", "a\rb\n"])
    texts = st.lists(text, max_size=3).map(tuple)
    documents = st.builds(
        Document,
        content=plain,
        id=st.none() | text,
        source=st.none() | text,
        page=COUNTS,
        similarity_score=st.none() | st.floats(allow_nan=False, allow_infinity=False),
    )
    value = json_values(text)
    turns = st.fixed_dictionaries({"role": st.just("user"), "content": text})
    calls = st.none() | st.lists(value, max_size=2).map(tuple)
    return st.builds(
        Sample,
        query=plain,
        response=st.none() | plain,
        expected=st.none() | plain,
        contexts=st.lists(documents, max_size=2).map(tuple),
        gold_context=st.none() | plain,
        expected_sources=texts,
        known_facts=texts,
        candidates=texts,
        responses=texts,
        previous_responses=texts,
        conversation=st.lists(turns, max_size=2).map(tuple),
        translations=st.dictionaries(text, text, max_size=2),
        expected_json=value,
        response_json=value,
        schema=st.none() | st.booleans() | st.dictionaries(text, value, max_size=2),
        duration=SECONDS,
        first_token_time=SECONDS,
        response_tokens=COUNTS,
        task_completed=st.none() | st.booleans(),
        expected_steps=COUNTS,
        steps_taken=COUNTS,
        errors_encountered=COUNTS,
        tools_used=st.none() | texts,
        tools_succeeded=st.none() | texts,
        tool_calls=calls,
        expected_tool_calls=calls,
        steps=st.none() | texts,
        tags=st.lists(plain, max_size=3).map(tuple),
        language=st.none() | plain,
        metadata=st.dictionaries(text.filter(lambda key: key != "weight"), value, max_size=3),
    )


def datasets(
    text: st.SearchStrategy[str], plain: st.SearchStrategy[str]
) -> st.SearchStrategy[GoldenDataset]:
    examples = st.lists(samples(text, plain), min_size=1, max_size=3).map(
        lambda found: tuple(replace(s, id=f"e{place}") for place, s in enumerate(found))
    )
    return st.builds(
        GoldenDataset,
        name=text,
        version=st.sampled_from(["1.0.0", "2.1", "1.0.0-rc.1+b7"]),
        description=text,
        created_at=st.none() | text,
        tags=st.lists(text, max_size=2).map(tuple),
        examples=examples,
        metadata=st.dictionaries(
            st.sampled_from(["licence", "x_y"]), json_values(text), max_size=2
        ),
    )


def as_read(sample: Sample) -> Sample:
    """Where expected answer and response are JSON text, a reader takes the JSON for both fields."""
    is_answered = sample.response_json is not None or is_json(sample.response)
    if sample.expected_json is None and is_json(sample.expected) and is_answered:
        return replace(sample, expected_json=sample.expected)
    return sample


def read_back(dataset: GoldenDataset) -> GoldenDataset:
    return replace(dataset, examples=tuple(map(as_read, dataset.examples)))


def read_from_table(dataset: GoldenDataset) -> tuple[Sample, ...]:
    """The examples as a table gives them back: what is JSON text comes as the object."""
    return tuple(
        replace(example, expected_json=jsontext.loads(example.expected_json))
        if isinstance(example.expected_json, str) and is_json(example.expected_json)
        else example
        for example in read_back(dataset).examples
    )


EXPECTED_IN_JSON = GoldenDataset("set", examples=(Sample("e0", expected="[]", response_json=[]),))
"""Generated examples rarely have JSON text as the expected answer."""


ROUND_TRIP = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@ROUND_TRIP
@example(dataset=EXPECTED_IN_JSON)
@given(dataset=datasets(ANY_TEXT, ANY_TEXT))
def test_json_carries_everything(tmp_path: Path, dataset: GoldenDataset) -> None:
    path = tmp_path / "set.json"
    dataset.save(path)
    assert GoldenDataset.load(path) == read_back(dataset)
    GoldenDataset.load(path).save(path)
    content = path.read_bytes()
    GoldenDataset.load(path).save(path)
    assert path.read_bytes() == content


@ROUND_TRIP
@example(dataset=EXPECTED_IN_JSON)
@given(dataset=datasets(ANY_TEXT, ANY_TEXT))
def test_jsonl_carries_every_example(tmp_path: Path, dataset: GoldenDataset) -> None:
    dataset.save(tmp_path / "set.jsonl")
    assert GoldenDataset.load(tmp_path / "set.jsonl") == GoldenDataset(
        "set", examples=read_back(dataset).examples
    )


@ROUND_TRIP
@example(dataset=EXPECTED_IN_JSON)
@given(dataset=datasets(ANY_TEXT, UNICODE.filter(bool)))
def test_csv_carries_every_example(tmp_path: Path, dataset: GoldenDataset) -> None:
    dataset.save(tmp_path / "set.csv")
    assert GoldenDataset.load(tmp_path / "set.csv").examples == read_from_table(dataset)


@ROUND_TRIP
@example(dataset=EXPECTED_IN_JSON)
@given(dataset=datasets(UNICODE, UNICODE))
def test_parquet_carries_every_example(tmp_path: Path, dataset: GoldenDataset) -> None:
    dataset.save(tmp_path / "set.parquet")
    assert GoldenDataset.load(tmp_path / "set.parquet").examples == read_from_table(dataset)


@pytest.mark.parametrize(
    ("name", "sample", "message"),
    [
        ("a.csv", Sample("1", query=""), "'query' holds empty text, which CSV cannot carry; save"),
        ("a.csv", Sample("1", query="\ud800"), "'query' holds a lone surrogate, which CSV cannot"),
        ("a.parquet", Sample("1", query="\ud800"), "'query' holds a lone surrogate, which Parquet"),
        (
            "a.parquet",
            Sample("1", contexts=(Document("\ud800"),)),
            "'contexts' holds a lone surrogate, which Parquet cannot carry",
        ),
        (
            "a.parquet",
            Sample("1", query="q", steps_taken=2**64),
            "'steps_taken' cannot be written as Parquet",
        ),
        ("a.json", Sample("1", metadata={"x": math.nan}), "example '1' cannot be written as JSON"),
        ("a.jsonl", Sample("1", metadata={"x": {1, 2}}), "example '1' cannot be written as JSON"),
        ("a.csv", Sample("1", metadata={"x": {1, 2}}), "'metadata' cannot be written as JSON"),
        ("a.txt", Sample("1"), "unknown ending; expected one of .json, .jsonl, .csv, .parquet"),
        ("no/such/folder.json", Sample("1"), "No such file or directory"),
    ],
)
def test_refuses_to_save_what_the_format_cannot_carry(
    tmp_path: Path, name: str, sample: Sample, message: str
) -> None:
    with pytest.raises(DataError) as caught:
        GoldenDataset("g", examples=(sample,)).save(tmp_path / name)
    assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


SMALL = GoldenDataset(
    "capitals",
    "1.2.0",
    "Capitals of Europe",
    "2024-05-01",
    ("geo",),
    (
        Sample("a", "Capital of France?", expected="Paris", tags=("west", "easy"), language="en"),
        Sample("b", "Capital of Latvia?", expected="Riga", contexts=(Document("Riga is …"),)),
    ),
)


def test_json_looks_as_documented(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "a.json")
    assert jsontext.loads((tmp_path / "a.json").read_text(encoding="utf-8")) == {
        "name": "capitals",
        "version": "1.2.0",
        "description": "Capitals of Europe",
        "createdAt": "2024-05-01",
        "tags": ["geo"],
        "examples": [
            {
                "id": "a",
                "input": "Capital of France?",
                "expectedOutput": "Paris",
                "tags": ["west", "easy"],
                "language": "en",
            },
            {
                "id": "b",
                "input": "Capital of Latvia?",
                "expectedOutput": "Riga",
                "context": ["Riga is …"],
            },
        ],
    }


def test_csv_looks_as_documented(tmp_path: Path) -> None:
    SMALL.save(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines() == [
        "id,input,expected_output,context,tags,language",
        "a,Capital of France?,Paris,,west;easy,en",
        "b,Capital of Latvia?,Riga,Riga is …,,",
    ]


def test_a_golden_dataset_is_a_file_of_samples(tmp_path: Path) -> None:
    for name in ("a.json", "a.jsonl", "a.csv", "a.parquet"):
        SMALL.save(tmp_path / name)
        assert tuple(read_samples(tmp_path / name)) == SMALL.examples


def test_reads_the_smallest_files(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"examples": [{"input": "q"}], "created_at": null}')
    assert GoldenDataset.load(tmp_path / "a.json") == GoldenDataset(
        "a", examples=(Sample("record-1", "q"),)
    )
    (tmp_path / "b.csv").write_text("input,expected_output,context,tags\nq,e,c,x;y\n")
    assert GoldenDataset.load(tmp_path / "b.csv") == GoldenDataset(
        "b", examples=(Sample("line-2", "q", None, "e", (Document("c"),), tags=("x", "y")),)
    )


def test_json_text_in_a_table_becomes_objects(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("input,gt,aio\nq,[1],broken {\n")
    (example,) = GoldenDataset.load(tmp_path / "a.csv").examples
    assert (example.expected_json, example.response_json) == ([1], "broken {")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"version": "one", "examples": []}', "the version is 'one'; expected two or three"),
        ('{"name": [], "examples": []}', "a.json: 'name' is a list; expected text"),
        ('[{"input": "q"}, 3, 4]', "a.json, record 2: the record is 3; expected an object (and 1"),
        ("[", "is invalid JSON"),
    ],
)
def test_a_broken_dataset_is_refused(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(DataError) as caught:
        GoldenDataset.load(tmp_path / "a.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("version", ["", "1", "1.0.0.0", "v1.0.0", "1.0.0\n", "1.0-"])
def test_refuses_a_version_that_is_none(version: str) -> None:
    with pytest.raises(UsageError, match="expected two or three numbers such as"):
        GoldenDataset("g", version)


def test_a_subset_has_one_of_the_tags() -> None:
    assert [e.id for e in SMALL.subset("easy", "other").examples] == ["a"]
    assert SMALL.subset("other").examples == ()


def test_sums_up() -> None:
    summary = replace(SMALL, examples=(*SMALL.examples, Sample("c", "Why?"))).summary()
    assert summary.count == 3
    assert summary.tags == {"easy": 1, "west": 1}
    assert summary.languages == {"en": 1}
    assert (summary.with_expected, summary.without_expected) == (2, 1)
    assert (summary.with_contexts, summary.contexts) == (1, 1)
    assert summary.mean_query_length == pytest.approx((18 + 18 + 4) / 3)
    assert summary.mean_expected_length == 4.5
    assert GoldenDataset("g").summary().mean_query_length is None


FRANCE, LATVIA = SMALL.examples
FRENCH = replace(FRANCE, id="z", query=" capital of FRANCE? ", expected="Paris!")
SPAIN = Sample("a", "Capital of Spain?", expected="Madrid")


def test_diff_goes_by_query() -> None:
    diff = SMALL.diff(replace(SMALL, examples=(SPAIN, FRENCH)))
    assert (diff.added, diff.removed) == ((SPAIN,), (LATVIA,))
    (change,) = diff.modified
    assert (change.before, change.after) == (FRANCE, FRENCH)
    assert change.fields == ("query", "expected")


def test_diff_tells_repeated_questions_apart() -> None:
    twice = replace(SMALL, examples=(FRANCE, FRENCH))
    assert SMALL.diff(twice).added == (FRENCH,)
    assert twice.diff(twice) == SMALL.diff(SMALL)


def test_examples_without_a_query_go_by_id() -> None:
    one = GoldenDataset("g", examples=(Sample("a", expected_json=1),))
    two = GoldenDataset("g", examples=(Sample("b", expected_json=1),))
    assert one.diff(two).added == two.examples


@pytest.mark.parametrize(("on_conflict", "expected"), [("first", "Paris"), ("last", "Paris!")])
def test_merge_keeps_one_of_two(on_conflict: Any, expected: str) -> None:
    other = replace(SMALL, examples=(SPAIN, FRENCH))
    merged = SMALL.merge(other, on_conflict)
    assert [e.id for e in merged.examples] == ["a", "b", "a-2"]
    assert [e.expected for e in merged.examples] == [expected, "Riga", "Madrid"]


def test_merge_refuses_a_conflict() -> None:
    with pytest.raises(DataError, match="1 questions differ, first 'Capital of France"):
        SMALL.merge(replace(SMALL, examples=(FRENCH,)))
    with pytest.raises(UsageError, match="on_conflict is 'newest'; expected 'error'"):
        SMALL.merge(SMALL, "newest")  # type: ignore[arg-type]
    assert SMALL.merge(SMALL) == SMALL


def test_deduplicate_keeps_the_first() -> None:
    dataset, dropped = replace(SMALL, examples=(FRANCE, LATVIA, FRENCH)).deduplicate()
    assert dataset == SMALL
    assert dropped == (FRENCH,)


def test_validate_names_every_problem() -> None:
    examples = (
        FRANCE,
        replace(FRENCH, id="a"),
        Sample("c", " ", expected="x" * 5001),
        Sample("", None, expected_json={}),
    )
    assert replace(SMALL, examples=examples).validate() == [
        "example 2 ('a'): the id 'a' was used before; expected every id once",
        "example 2 ('a'): the query is the same as in example 1 ('a'); expected every query once",
        "example 3 ('c'): 'query' has 0 characters; expected 1 to 5000",
        "example 3 ('c'): 'expected' has 5001 characters; expected 1 to 5000",
        "example 4: the query is missing; expected text",
    ]
    assert SMALL.validate() == []
    assert len(SMALL.validate(min_length=5)) == 1
    assert len(SMALL.validate(max_length=4)) == 3
    assert GoldenDataset("g").validate() == ["the dataset has no examples; expected at least one"]
    assert replace(SMALL, examples=(Sample("a", "q"),)).validate() == [
        "example 1 ('a'): the expected answer is missing; expected text or JSON"
    ]
