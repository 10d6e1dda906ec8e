"""What a passage says of everybody else."""

import pytest

from assay.meaning import read
from assay.meaning.conflicts import conflicts
from assay.meaning.remainder import given_to_rest, is_of_rest, said_of_everybody


def readings(*texts):
    return [read(text) for text in texts]


def test_what_everybody_else_pays_is_not_what_the_named_ones_pay():
    passage = readings("Students pay half.", "Everyone else pays the full price of 14 euros.")

    assert given_to_rest(read("Students pay 14 euros."), passage) is not None
    assert given_to_rest(read("Everyone else pays 14 euros."), passage) is None


def test_an_hour_in_words_is_given_to_the_rest_as_well():
    passage = readings(
        "The library is closed on public holidays.", "On other days it opens at nine."
    )

    assert given_to_rest(read("On public holidays it opens at nine."), passage) is not None
    assert given_to_rest(read("On other days it opens at nine."), passage) is None


@pytest.mark.parametrize(
    ("claim", "is_excused"),
    [
        ("Technicians get 25 days of leave", True),
        ("New managers get 25 days of leave", True),
        ("Managers get 25 days of leave", False),
        ("Technicians get 20 days of leave", False),
    ],
)
def test_a_figure_of_the_rest_is_right_for_whom_nothing_else_names(claim, is_excused):
    passage = readings("Managers get 30 days of leave.", "All others get 25 days.")
    own = read(claim)
    (difference,) = conflicts(own, passage[0], passage)

    assert is_of_rest(difference, own, passage) is is_excused
    if is_excused:
        assert given_to_rest(own, passage) is None


@pytest.mark.parametrize(
    ("claim", "is_against"),
    [
        ("Nobody needs a visa for short stays.", True),
        ("Everyone has to apply for a visa.", True),
        ("Citizens need no visa.", False),
        ("Everyone else needs a visa.", False),
        ("Everyone gets a stamp.", False),
        ("At the border everyone shows a visa.", False),
    ],
)
def test_what_is_said_of_everybody_where_a_passage_parts_some_from_the_rest(claim, is_against):
    passage = ("Citizens may stay without a visa.", "Everyone else has to apply for a visa.")
    found = said_of_everybody(read(claim), [read(sentence) for sentence in passage])
    assert (found is not None) is is_against
