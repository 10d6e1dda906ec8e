"""Statements that are copied from a context, worked out from it, or deny in other words."""

from __future__ import annotations

import pytest
from tests.work import counted

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.claims import statements
from assay.features.statements import Statement, judged
from assay.textproc.normal import normalise

COPIED = "The town library lends skis and tents to its members."
OTHERS = (
    "The swimming pool has a slide for children. Tickets are sold at the gate, not online.",
    "The museum shows paintings by Anna Brandt. Its roof was mended in 2019.",
)


def _judged(response: str, *contexts: str) -> Statement:
    chunks = context_chunks.function(tuple(Document(content) for content in contexts))
    (statement,) = judged(statements(normalise(response)), chunks, "en")
    return statement


def test_a_copied_sentence_is_supported_with_less_work() -> None:
    assert _judged(COPIED, COPIED, *OTHERS).by_rules > 0.9
    longer = COPIED.replace("lends", "gladly lends")
    copied = counted(lambda: _judged(COPIED, COPIED, *OTHERS))
    assert copied < 0.9 * counted(lambda: _judged(longer, COPIED, *OTHERS))


def test_a_copied_sentence_is_compared_with_one_that_denies_it() -> None:
    denied = "The town library does not lend skis and tents."
    assert _judged(COPIED, COPIED, denied).differences


@pytest.mark.parametrize(
    ("context", "right", "wrong"),
    [
        (
            "The ferry leaves at 8:15 and arrives at 9:45.",
            "The ferry takes an hour and a half.",
            "The ferry takes two hours.",
        ),
        (
            "The film starts at 19:40 and lasts 110 minutes.",
            "The film is over at 21:30.",
            "The film is over at 22:30.",
        ),
        (
            "Work on the dam began in 1931 and was completed five years later.",
            "The dam was completed in 1936.",
            "The dam was completed in 1938.",
        ),
        (
            "Entry costs 6 euros per person.",
            "Five people pay 30 euros for entry.",
            "Five people pay 25 euros for entry.",
        ),
        (
            "The fair had 12,500 visitors this year, 2,500 more than last year.",
            "Last year the fair had 10,000 visitors.",
            "Last year the fair had 15,000 visitors.",
        ),
        (
            "The sculptor Ivo Karel (1862-1931) lived in Brno.",
            "The sculptor Ivo Karel lived to be 68.",
            "The sculptor Ivo Karel lived to be 79.",
        ),
        (
            "The hall seats 350 people, of whom 40 sit in the gallery.",
            "The hall seats three hundred and fifty people.",
            "The hall seats four hundred and fifty people.",
        ),
        (
            "The programme takes 2 hours and 30 minutes.",
            "The programme takes 150 minutes.",
            "The programme takes 230 minutes.",
        ),
        (
            "Of the 300 seats, 20 % are reserved.",
            "Of the seats, 60 are reserved.",
            "Of the seats, 90 are reserved.",
        ),
    ],
)
def test_a_figure_that_follows_from_others_is_no_other_figure(
    context: str, right: str, wrong: str
) -> None:
    is_against = ("other_figure", "figure_absent")
    assert not any(_judged(right, context).measures[name] for name in is_against)
    assert any(_judged(wrong, context).measures[name] for name in is_against)


@pytest.mark.parametrize(
    ("prices", "total", "is_right"),
    [
        ("Adults 14 euros, children 6 euros, bicycles 5 euros.", 34, True),
        ("Entry: 14 euros for adults and 6 euros for children.", 34, True),
        ("Adults 14 euros, children 6 euros, bicycles 5 euros.", 40, False),
        ("Adults 14 euros, bicycles 5 euros.", 33, False),
    ],
)
def test_what_a_question_asks_to_add_up_is_added_up(
    prices: str, total: int, is_right: bool
) -> None:
    query = normalise("How much do two adults and a child pay?")
    chunks = context_chunks.function((Document(prices),))
    (own,) = judged(statements(normalise(f"They pay {total} euros.")), chunks, "en", query)
    assert (not own.absent and not own.differences) is is_right


def test_a_short_form_stands_for_the_words_that_it_is_made_of() -> None:
    bodies = "The plan was approved by the European Central Bank."
    assert not _judged("The ECB approved the plan.", bodies).absent
    assert _judged("The OECD approved the plan.", bodies).absent == ("The OECD",)


def test_a_figure_of_something_else_is_not_excused_by_a_sum() -> None:
    lamps = ("Lamp 200: guarantee of two years.", "Lamp 300: guarantee of three years.")
    sold = "Lamp 500: guarantee of five years."
    assert _judged("Lamp 300 comes with a guarantee of five years.", *lamps, sold).differences


def test_a_share_of_a_share_is_not_worked_out() -> None:
    text = "In 2019, 50 % of the homes were rented, and 25 % of these were flats."
    assert _judged("12.5 % of the homes were rented in 2019.", text).differences


def test_before_and_after_exchanged_are_other_roles() -> None:
    before = _judged("Wash the rice before you boil it.", "Boil the rice before you wash it.")
    assert before.measures["other_roles"] == 1.0


def test_a_denial_in_other_words_contradicts_nothing() -> None:
    four = "Each customer may buy at most four tickets."
    assert not _judged("You cannot buy five tickets.", four).differences
    open_ = "The pool is open on Sundays in summer."
    assert _judged("The pool is not open on Sundays in summer.", open_).differences


@pytest.mark.parametrize(
    ("response", "is_silent"),
    [
        ("The documents give no information on the length of the bridge.", False),
        ("The documents give no information on the designer of the bridge.", True),
        ("I couldn't find any information about parking.", True),
        ("I couldn't find any information about the canal.", False),
    ],
)
def test_an_amount_tells_of_what_it_measures(response: str, is_silent: bool) -> None:
    context = "The footbridge over the canal was opened in 1998 and is 40 metres long."
    statement = _judged(response, context)
    assert bool(statement.measures["silence"]) is is_silent
    assert bool(statement.measures["broken_silence"]) is not is_silent
    assert (statement.probability > 0.5) is is_silent


@pytest.mark.parametrize(
    ("response", "is_proved"),
    [
        ("The garlic goes in before the stock.", True),
        ("The stock goes in before the garlic.", False),
    ],
)
def test_a_proved_statement_says_so(response: str, is_proved: bool) -> None:
    statement = _judged(response, "Add the garlic. Then pour in the stock, and stir well.")
    assert bool(statement.measures["proved"]) is is_proved
    assert bool(statement.differences) is not is_proved


@pytest.mark.parametrize(
    "context",
    [
        "The desk opens at noon.",
        "Room_two is free.",
        "Doors close at 5pm.",
        "Call before six p.m. please.",
        "A bus leaves every hour.",
        "يصل القطار كل ساعة.",
    ],
)
def test_a_piece_whose_reading_has_figures_is_read_for_them(context: str) -> None:
    (chunk,) = context_chunks.function((Document(context),)).all
    assert chunk.piece.reading.figures
    assert chunk.piece.may_have_figures


def test_a_piece_without_number_words_is_not_read_for_figures() -> None:
    (chunk,) = context_chunks.function((Document("The pool has a slide."),)).all
    assert not chunk.piece.may_have_figures


def test_what_is_denied_of_others_is_no_denial() -> None:
    passage = "Premium members may bring a guest. Basic members may not bring a guest."
    assert not _judged("Premium members may bring a guest today.", passage).differences
    assert _judged("Basic members may bring a guest.", passage).differences


@pytest.mark.parametrize(
    ("context", "is_unknown"),
    [
        ("Employees get 28 days of leave a year.", False),
        ("Employees get 28 days of leave every two years.", True),
        ("Employees get 28 days of leave.", True),
    ],
)
def test_the_period_of_an_amount_may_be_worded_otherwise(context: str, is_unknown: bool) -> None:
    statement = _judged("Employees get 28 days of leave each year.", context)
    assert ("each year" in statement.absent) is is_unknown
