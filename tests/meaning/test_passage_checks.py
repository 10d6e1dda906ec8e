"""Statements that a passage proves or refutes: order of steps, changes, charges, winners, parts."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.advice import other_advice
from assay.meaning.changeovers import applied_on
from assay.meaning.changes import changed_amount
from assay.meaning.charges import charged
from assay.meaning.contacts import other_contact
from assay.meaning.event_order import told_order
from assay.meaning.moves import went_over
from assay.meaning.outcomes import other_outcome
from assay.meaning.partial_denials import not_of_all
from assay.meaning.placings import other_placing
from assay.textproc.normal import normalise

STEPS = ("Fry the onions.", "Add the garlic, and pour in the stock a minute later.")
RENT = ("The rent was raised from 40 to 50 euros in January.",)
RAISED = ("In January the rent rose to 50 euros from 40.",)
ENTRY = ("Entry is free for children, while adults pay 8 euros.",)
RATES = ("Room rates include breakfast and Wi-Fi.", "Parking is charged at 15 euros per night.")
MATCH = ("In the semi-final Larsson lost to Petrova in three sets.",)
BRANCHES = ("Most branches sell tickets; those in Elm Road do not.",)
FEE = ("From 1 July the card will cost 12 euros.", "Until then it costs 10 euros.")


def outcome(check, claim, passage):
    """True where a passage proves a statement, False where it refutes it, else None."""
    own, *others = [normalise(text) for text in (claim, *passage)]
    verdict = check(read(own.text, own.lower), [read(one.text, one.lower) for one in others])
    return False if isinstance(verdict, ClaimDifference) else verdict


RENTED = "She painted it and then rented it out."


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("The garlic goes in before the stock.", STEPS, True),
        ("The stock goes in after the garlic.", STEPS, True),
        ("The stock goes in before the garlic.", STEPS, False),
        ("Before the garlic, the stock goes in.", STEPS, False),
        ("The stock goes in with the garlic.", STEPS, None),
        ("The milk goes in before the stock.", STEPS, None),
        ("The floor is laid after painting.", ("First paint the walls.", "Lay the floor."), True),
        ("The garlic goes in before the stock.", ("We sell garlic and stock.",), None),
        (
            "The house was rented out after it was painted.",
            ("He painted the house and then rented it out.",),
            True,
        ),
        ("The house was rented out before it was painted.", ("He sold the house.", RENTED), False),
        ("تُركب الأرضية بعد الدهان.", ("تُدهن الجدران ثم تُركب الأرضية.",), True),
        ("تُدهن الجدران بعد تركيب الأرضية.", ("تُدهن الجدران ثم تُركب الأرضية.",), False),
    ],
)
def test_steps_are_told_in_order(claim, passage, expected):
    assert outcome(told_order, claim, passage) is expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("It costs 10 euros more.", True),
        ("It costs 10 euros less.", False),
        ("It costs 20 euros less.", None),
        ("It costs 10 euros.", None),
    ],
)
@pytest.mark.parametrize("passage", [RENT, RAISED])
def test_an_amount_changes_one_way(claim, expected, passage):
    assert outcome(changed_amount, claim, passage) is expected


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("Children pay nothing.", ENTRY, True),
        ("Children do not pay an entrance fee.", ENTRY, True),
        ("Adults pay nothing.", ENTRY, False),
        ("Adults enter free.", ENTRY, False),
        ("Children pay for their tickets.", ENTRY, False),
        ("Dogs enter free.", ENTRY, None),
        ("Hiring a racket is included.", ("Rackets can be hired for 3 euros.",), False),
        ("Students pay no fee.", ("Students are exempt from the fee.",), True),
        ("Students pay the fee.", ("Students are exempt from the fee.",), False),
        ("Trainees pay no fee.", ("Trainees are not exempt from the fee.",), False),
        ("Overtime is not paid without approval.", ("Overtime is paid only if approved.",), None),
        ("لا يدفع الأطفال شيئا.", ("يدخل الأطفال مجانا ويدفع الكبار عشرين ريالا.",), True),
        ("Breakfast and parking are included.", RATES, False),
        ("Parking and Wi-Fi are free.", RATES, False),
        ("Breakfast and Wi-Fi are included.", RATES, True),
    ],
)
def test_what_is_free_is_not_paid_for(claim, passage, expected):
    assert outcome(charged, claim, passage) is expected


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("Petrova won the semi-final against Larsson.", MATCH, True),
        ("Larsson won the semi-final against Petrova.", MATCH, False),
        ("Larsson was beaten by Petrova.", MATCH, True),
        ("Rovers lost the match.", ("Rovers beat United 3-1.",), False),
        ("Rovers lost their ball.", ("Rovers won a prize.",), None),
        ("Berger won the match.", MATCH, None),
        ("Mora defeated Hale.", ("Mora defeated the mayor, Tom Hale.",), True),
        ("Hale defeated Mora.", ("Mora defeated the mayor, Tom Hale.",), False),
        ("خسر النصر أمام الهلال", ("فاز الهلال على النصر",), True),
        ("خسر الهلال أمام النصر", ("فاز الهلال على النصر",), False),
        ("فاز النصر على الهلال", ("فاز الهلال على النصر",), False),
    ],
)
def test_winner_and_loser_are_told_apart(claim, passage, expected):
    assert outcome(other_outcome, claim, passage) is expected


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("Not every branch sells tickets.", BRANCHES, True),
        ("Not every branch sells tickets.", ("All branches sell tickets.",), False),
        ("No branch sells tickets.", BRANCHES, None),
        ("The vaccine did not protect everyone.", ("It protected 7 out of 10 people.",), True),
    ],
)
def test_not_all_is_some(claim, passage, expected):
    assert outcome(not_of_all, claim, passage) is expected


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("In May the card costs 10 euros.", True),
        ("In May the card costs 12 euros.", False),
        ("On 3 August the card costs 12 euros.", True),
        ("On 3 August the card costs 10 euros.", False),
        ("The card costs 12 euros.", None),
        ("In May the card costs 15 euros.", None),
    ],
)
def test_an_amount_applies_from_a_date_on(claim, expected):
    assert outcome(applied_on, claim, FEE) is expected


LATE = ("Ibuprofen should not be taken in the last three months of pregnancy.",)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("Ibuprofen is safe in the last three months of pregnancy.", LATE, False),
        ("Avoid ibuprofen in the last three months of pregnancy.", LATE, None),
        ("Ibuprofen is safe for headaches.", LATE, None),
        ("Ibuprofen is safe.", LATE, None),
        ("Grapes are fine for dogs.", ("Dogs must not eat grapes.",), False),
        ("Grapes are fine for dogs.", ("Dogs must not eat grapes unless peeled.",), None),
        ("It is not safe to swim in the lake.", ("Swimming in the lake is safe.",), False),
        ("Swimming in the lake is safe.", ("Don't swim in the lake.",), False),
        ("السباحة في البحيرة آمنة.", ("لا ينبغي السباحة في البحيرة.",), False),
        ("على الحوامل تجنب الدواء.", ("لا ينصح بالدواء للحوامل، وهو آمن لغيرهن.",), None),
    ],
)
def test_what_is_advised_against_is_not_fine(claim, passage, expected):
    assert outcome(other_advice, claim, passage) is expected


DESK = (
    "For refunds write to billing@example.com.",
    "For technical problems call 0800 555 111.",
    "Parking is free.",
)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Please call 0800 555 111 to get a refund.", False),
        ("Call 0800-555-111 for a refund.", False),
        ("Technical problems are reported to billing@example.com.", False),
        ("Write to billing@example.com to get a refund.", None),
        ("Call 0800 555 111 if there is a technical problem.", None),
        ("Call 0800 555 222 for a refund.", None),
        ("Call 0800 555 111.", None),
        ("Call 0800 555 111 about parking.", None),
    ],
)
def test_a_contact_serves_the_purpose_that_is_told(claim, expected):
    assert outcome(other_contact, claim, DESK) is expected


ENTRANCE = ("The stop has moved from platform 3 to the east entrance.",)
FEES = ("The fee was raised from 40 to 50 euros.",)
PLANNED = ("The fee will be raised from 40 to 50 euros.",)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("The stop is at platform 3.", ENTRANCE, False),
        ("The stop was at platform 3.", ENTRANCE, True),
        ("The stop is at the east entrance.", ENTRANCE, None),
        ("The ticket office is at platform 3.", ENTRANCE, None),
        ("The fee is 40 euros.", FEES, False),
        ("The fee used to be 40 euros.", FEES, True),
        ("The fee is 40 euros.", PLANNED, None),
        ("The fee is 40 euros.", (*FEES, "For members it stays at 40 euros."), None),
        ("The office is open in May.", ("Hours change from 1 May to 31 May.",), None),
        ("The match is on Friday.", ("The match was moved from Friday to Sunday.",), False),
    ],
)
def test_what_went_over_is_so_no_more(claim, passage, expected):
    assert outcome(went_over, claim, passage) is expected


PRIZES = ("The jury gave first prize to Ruiz and second prize to Berg.",)


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("Berg came first.", PRIZES, False),
        ("Ruiz came first.", PRIZES, None),
        ("Berg came second.", PRIZES, None),
        ("Berg did not come first.", PRIZES, None),
        ("Berg came third.", PRIZES, None),
        ("Berg came first.", ("First prize went to Ruiz.",), None),
    ],
)
def test_places_belong_to_their_names(claim, passage, expected):
    assert outcome(other_placing, claim, passage) is expected
