import pytest

from assay.backends.fake import FakeModel
from assay.core import Sample
from assay.features.normal import normal
from assay.features.sentences import sentences
from assay.features.steps import MAX_STEPS, steps, steps_embeddings
from assay.features.words import words


def steps_of(text):
    source = normal.feature(text)
    own = words.feature(source)
    return steps.feature(source, own, sentences.feature(source, own))


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        (
            "numbered steps",
            "First this. Step 1: add both numbers. Step 2: halve the sum.",
            ["add both numbers.", "halve the sum."],
        ),
        ("a step named by a word", "Step one: add both numbers.", ["add both numbers."]),
        ("a step without a number", "The next step is to add both.", ["is to add both."]),
        ("case does not matter", "STEP 1 - add both numbers", ["add both numbers"]),
        (
            "a step of ten characters is too short",
            "Step 1: ten chars. Step 2: eleven char",
            ["eleven char"],
        ),
        (
            "bullets",
            "To do:\n- add both numbers\n  • halve the sum\n* write it down\n-no bullet at all",
            ["add both numbers", "halve the sum", "write it down"],
        ),
        ("a bullet of ten characters is too short", "- 1234567890\n- 12345678901", ["12345678901"]),
        (
            "sentences with a connector",
            "It rains because it is cold. Tea is hot. Given that it rains, we stay.",
            ["It rains because it is cold", "Given that it rains, we stay"],
        ),
        (
            "part of a longer word is no connector",
            "She also gave a specific answer. The authenticity was thirsty work.",
            ["She also gave a specific answer. The authenticity was thirsty work."],
        ),
        ("a sentence of twenty characters is too short", "So it rains all day.", []),
        ("a short text has no steps", "The door is open.", []),
        ("fifty characters are too few", "x" * 50, []),
        ("the whole text", "x" * 51, ["x" * 51]),
        ("the word steps is no marker", "Follow these steps: now go.", []),
        (
            "step by step announces no step",
            "Let us go step-by-step. It rains because it is cold.",
            ["It rains because it is cold"],
        ),
        ("blanks at the ends do not count", "Step 1:   add both numbers  ", ["add both numbers"]),
        ("nothing", "", []),
    ],
)
def test_steps(why, text, expected):
    found = steps_of(text)
    assert [step.text for step in found] == expected, why
    assert [text[step.start : step.end] for step in found] == expected, why


def test_steps_keep_their_place_in_the_text_as_given():
    text = "Step\u200b 1: add “both” nu\u00admbers. Step 2: halve the sum"
    found = steps_of(text)
    assert found[0].text == 'add "both" numbers.'
    assert text[found[0].start : found[0].end] == "add “both” nu\u00admbers."


def test_a_step_knows_its_words_and_whether_it_has_a_connector():
    tied, loose = steps_of("- as a result, it rains\n- as results go, fine")
    assert (tied.words, tied.has_connector) == (["as", "a", "result", "it", "rains"], True)
    assert (loose.words, loose.has_connector) == (["as", "results", "go", "fine"], False)


def test_there_is_an_end_to_the_steps():
    assert len(steps_of("- a line to look at\n" * 2000)) == MAX_STEPS
    assert len(steps_of("It rains because it is cold. " * 2000)) == MAX_STEPS


def test_steps_are_embedded_together_and_given_back_apart():
    listed = [steps_of("- the first line\n- the second line"), (), steps_of("- the third line")]
    found = steps_embeddings.feature(listed, FakeModel())
    assert [len(vectors) for vectors in found] == [2, 0, 1]
    assert (found[0][1] == FakeModel().embed(["the second line"])[0]).all()


def test_the_features_are_those_of_the_response():
    assert steps.of("response").name == "response_steps"
    assert steps_embeddings.of("response").name == "response_steps_embeddings"
    assert steps_embeddings.of("response").parameters == ("response_steps", "embedder")
    assert Sample().steps is None
