import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay import score
from assay.core import Sample, UsageError
from assay.data.bundled_files import bundled, read_bundled_toml
from assay.samples.synthesis import KINDS, LANGUAGES, MUTATIONS, synthesise
from assay.samples.write import json_lines

kinds, codes = st.sampled_from(KINDS), st.sampled_from(LANGUAGES)


@settings(deadline=None, max_examples=25)
@given(kinds, codes, st.integers(0, 2**32), st.integers(1, 40))
def test_the_same_seed_gives_the_same_bytes(kind, code, seed, size):
    one, other = (synthesise(kind, size, seed, code) for _ in range(2))
    assert json_lines(one) == json_lines(other)
    assert len(one) == size
    assert len({sample.id for sample in one}) == size
    assert all(sample.language == code for sample in one)
    longer = synthesise(kind, size + 5, seed, code)
    assert longer[:size] == one


@pytest.mark.parametrize("kind", KINDS)
def test_another_seed_gives_another_dataset(kind):
    assert synthesise(kind, 20, 1) != synthesise(kind, 20, 2)


def test_questions_do_not_run_out():
    found = synthesise("qa", 300, 3)
    assert len({sample.query for sample in found}) > 290
    last = found[-1]
    assert last.tags[-1] == "sum"
    assert last.known_facts[0].endswith(f"{last.expected}.")


@pytest.mark.parametrize("code", LANGUAGES)
def test_only_the_right_document_has_the_answer(code):
    for sample in synthesise("rag", 200, 5, code):
        answer = sample.metadata.get("accepted", sample.metadata.get("forbidden"))
        holding = [d for d in sample.contexts if answer and answer[0] in d.content]
        if "unanswerable" in sample.tags:
            assert sample.gold_context is None
            if answer and not answer[0].isdecimal():
                assert holding == []
        else:
            right = next(d for d in sample.contexts if d.id == sample.expected_sources[0])
            assert right.content == sample.gold_context
            assert right in holding
            assert sample.expected == answer[0]
        assert len({d.id for d in sample.contexts}) == len(sample.contexts) >= 3


def test_one_rag_sample_in_five_has_no_answer():
    found = synthesise("rag", 50, 0)
    assert sum("unanswerable" in sample.tags for sample in found) == 10


def test_every_mutation_comes_in_turn_and_says_so():
    found = synthesise("adversarial", 12, 7)
    assert [sample.metadata["mutation"] for sample in found] == [*MUTATIONS, *MUTATIONS]
    table = read_bundled_toml("synthesis/mutations.toml")
    for sample in found:
        name = sample.metadata["mutation"]
        assert sample.metadata["expects"] == table[name]["expects"]
        assert sample.query != sample.metadata["original_query"]
        assert sample.id == f"{sample.metadata['original_id']}/{name}"


def test_a_dataset_of_your_own():
    given = [
        Sample(
            id=f"s{number}",
            query="What colour is the sky?",
            expected="Blue." if number != 4 else None,
            tags=("own",),
            metadata={"team": "a"},
        )
        for number in range(6)
    ]
    found = {s.metadata["mutation"]: s for s in synthesise("adversarial", 99, 1, source=given)}
    assert "contradiction" not in found
    assert found["typo"].expected is None
    assert found["typo"].metadata["team"] == "a"
    assert found["truncation"].expected is None
    assert "What colour is the sky?".startswith(found["truncation"].query)
    long = found["long_text"]
    assert len(long.query) > 6000
    assert "What colour is the sky?" in long.query
    assert long.expected == "Blue."
    assert long.tags == ("own", "synthetic", "adversarial", "long_text")


def test_typing_errors_leave_figures_alone():
    given = [Sample(id="s", query="Add 12345 and 67890 for me please, dear friend", expected="x")]
    changed = synthesise("adversarial", 1, 2, source=[Sample(id="a"), Sample(id="b"), *given])
    typed = synthesise("adversarial", 4, 2, source=[*given * 4])[3]
    assert changed[0].metadata["mutation"] == "truncation"
    assert typed.metadata["mutation"] == "typo"
    assert "12345" in typed.query
    assert "67890" in typed.query


def test_behaviour_can_be_scored():
    sample = synthesise("qa", 1, 1)[0]
    result = score(
        query=sample.query,
        response=f"It is {sample.expected}.",
        metadata=dict(sample.metadata),
        metrics=["suite.behaviour"],
    )
    assert result["suite.behaviour"].value == 1.0


def test_an_unknown_language_is_refused():
    with pytest.raises(UsageError, match="the language is 'fr'; expected one of en, ar"):
        synthesise("qa", 1, language="fr")


@pytest.mark.parametrize("name", bundled("synthesis"))
def test_templates_say_where_they_come_from(name):
    table = read_bundled_toml(f"synthesis/{name}")
    assert table["title"]
    assert table["source"]
    assert table["licence"]
