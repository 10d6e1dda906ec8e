"""Statements that leave out a condition of their source."""

import pytest

from assay.meaning import read
from assay.meaning.widening import dropped_condition, leaves_only_out

NOTHING = frozenset()


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Pets are allowed", "Pets are allowed only with the landlord's consent"),
        ("Swimming is permitted", "Swimming is only permitted for hotel guests"),
        ("The match is cancelled", "If it rains, the match is cancelled"),
        ("Bikes are covered", "Bikes are covered, provided they were locked"),
        ("Bikes are covered", "Bikes are covered provided that they were locked"),
    ],
)
def test_a_condition_that_is_left_out_is_a_difference(claim, sentence):
    assert dropped_condition(read(claim), read(sentence), NOTHING).expected == sentence


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Meals are provided", "Meals are provided in the hall"),
        ("The train left", "The train left just after noon"),
        ("Locked bikes are covered", "Bikes are covered, provided they were locked"),
        ("Pets are allowed if he agrees", "Pets are allowed if the landlord agrees"),
    ],
)
def test_what_is_no_condition_or_kept_is_none(claim, sentence):
    assert dropped_condition(read(claim), read(sentence), NOTHING) is None


def test_a_condition_that_the_text_names_elsewhere_is_kept():
    claim, sentence = "Call the office", "If you lose the key, call the office"
    assert dropped_condition(read(claim), read(sentence), NOTHING)
    assert dropped_condition(read(claim), read(sentence), frozenset({"key"})) is None


def test_a_sentence_without_its_only_is_right():
    sentence = read("The clinic only accepts patients with an appointment")
    assert leaves_only_out(read("The clinic accepts patients with an appointment"), [sentence])
    assert leaves_only_out(read("The clinic accepts patients"), [sentence]) is None
