"""Prompts are filled literally: what a record says is never a placeholder."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Document, ProfileError, Sample, SampleError, UsageError
from assay.runner.prompt_template import PromptTemplate, read_prompt
from assay.runner.questions import question_of


def written(tmp_path, text, name="brief.txt"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_prompt("brief", path)


def turns(prompt, sample):
    question = prompt.question_of(sample)
    return [(turn.role, turn.content) for turn in (*question.system, *question.user)]


def test_a_text_with_a_place_for_the_question_is_what_the_user_says(tmp_path):
    prompt = written(tmp_path, 'Answer in JSON, {"a": 1}: {query} {{question}}')
    sample = Sample("1", query="Why?")
    assert turns(prompt, sample) == [("user", 'Answer in JSON, {"a": 1}: Why? Why?')]


def test_a_text_without_one_goes_before_the_question(tmp_path):
    prompt = written(tmp_path, "Speak {language}.")
    assert turns(prompt, Sample("1", query="Why?", language="fr")) == [
        ("system", "Speak fr."),
        ("user", "Why?"),
    ]


def test_a_toml_file_has_both(tmp_path):
    prompt = written(tmp_path, 'system = "Be kind."\nuser = "Q: {query}"', "both.toml")
    conversation = (
        {"role": "system", "content": "You are Ann."},
        {"role": "user", "content": "First?"},
        {"role": "user", "content": "Second {query}?"},
    )
    assert turns(prompt, Sample("1", query="Second?", conversation=conversation)) == [
        ("system", "Be kind."),
        ("system", "You are Ann."),
        ("user", "Q: First?"),
        ("user", "Second {query}?"),
    ]


def test_contexts_and_other_columns_are_filled_in(tmp_path):
    prompt = written(tmp_path, "{contexts}\n{tone} {number} {context}: {query} \\{tone}")
    sample = Sample(
        "1",
        query="Why?",
        contexts=(Document("One."), Document("Two.")),
        metadata={"tone": "dry", "number": 3},
    )
    text = "One.\n\nTwo.\ndry 3 One.\n\nTwo.: Why? {tone}"
    assert turns(prompt, sample) == [("user", text)]


def test_a_record_without_the_field_is_not_asked(tmp_path):
    prompt = written(tmp_path, "{tone}: {query}")
    with pytest.raises(SampleError, match=r"a place for \{tone\}, which the record"):
        prompt.question_of(Sample("1", query="Why?"))


@given(query=st.text(), tone=st.text())
def test_what_a_record_says_stays_text(query, tone):
    prompt = PromptTemplate("p", user="<{query}|{tone}>")
    sample = Sample("1", query=query, metadata={"tone": tone})
    assert turns(prompt, sample) == [("user", f"<{query}|{tone}>")]


@given(st.sampled_from(["{query}", "{{query}}", "{tone}", "\\{query}", "{expected}", "{0.x}"]))
def test_placeholders_in_a_record_stay_text(hostile):
    prompt = PromptTemplate("p", system="{tone}", user="{query}")
    sample = Sample("1", query=hostile, expected="secret", metadata={"tone": hostile})
    assert turns(prompt, sample) == [("system", hostile), ("user", hostile)]


@pytest.mark.parametrize(
    "place", ["expected", "target", "ground_truth", "answer", "checks", "gold_context", "responses"]
)
def test_no_system_is_told_an_answer(tmp_path, place):
    with pytest.raises(ProfileError, match="which is never sent to a target"):
        written(tmp_path, f"{{query}} {{{place}}}")


@pytest.mark.parametrize(
    ("text", "name", "message"),
    [
        (" \n", "a.txt", "is empty"),
        ("user = 3", "a.toml", "must have the texts"),
        ('usr = "{query}"', "a.toml", "must have the texts"),
        ('user = "hello"', "a.toml", "has no place for {query}"),
        ("user = ", "a.toml", "not valid TOML"),
        ("x" * 1_000_001, "a.txt", "more than 1,000,000 characters"),
    ],
)
def test_files_that_are_no_prompts_are_rejected(tmp_path, text, name, message):
    with pytest.raises(ProfileError, match=message):
        written(tmp_path, text, name)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        read_prompt("brief", tmp_path / "none.txt")


def test_the_fingerprint_is_that_of_the_texts():
    one = PromptTemplate("a", user="{query}")
    assert one.fingerprint == PromptTemplate("b", user="{query}").fingerprint
    assert one.fingerprint != PromptTemplate("a", system="{query}").fingerprint


def test_without_a_prompt_the_question_is_asked_as_it_is():
    sample = Sample("1", query="Why?")
    assert PromptTemplate("p", user="{query}").question_of(sample) == question_of(sample)
