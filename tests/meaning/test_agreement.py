"""A response beside an accepted answer: what the rules are sure of."""

import pytest

from assay.meaning import read
from assay.meaning.agreement import agreement, alternatives, is_decided, is_excluded


def agreed(query, response, accepted):
    return agreement(read(query), read(response), [read(accepted)])


@pytest.mark.parametrize(
    ("query", "response", "accepted", "is_sure"),
    [
        ("How long is it?", "It comes with 24 months.", "Two years", True),
        ("How long is it?", "It comes with 24 hours.", "Two years", True),
        ("Is it free?", "No, you have to pay.", "No", True),
        ("Is it free?", "You have to pay.", "No", True),
        ("Is breakfast included?", "Breakfast costs 12 euros.", "No", False),
        ("Is the fee paid?", "The fee was paid in May.", "Yes", True),
        ("Is the fee paid?", "We met in May.", "Yes", False),
        ("Is it open?", "It is shut.", "Yes, it is open", True),
        ("Which colours?", "White and green.", "Green, white and orange", True),
        ("What must I add?", "A pinch of salt.", "A pinch of salt and a spoon of vinegar", True),
        (
            "Which is older?",
            "The barn is newer than the mill.",
            "The mill is older than the barn",
            True,
        ),
        ("Which is heavier, A4 or B5?", "A4 weighs less than B5.", "B5", True),
        ("Who lent whom money?", "Ida borrowed it from Max.", "Max lent Ida money", True),
        ("Which country?", "It came from the UK.", "United Kingdom", True),
        ("How did they do?", "They lost it.", "They won the match", True),
        ("Who led it?", "It was led by Ms Lopez.", "Maria Lopez", False),
        ("What happened?", "He got well.", "His condition improved", False),
    ],
)
def test_what_the_rules_decide(query, response, accepted, is_sure):
    assert is_decided(agreed(query, response, accepted)) is is_sure


@pytest.mark.parametrize(
    ("response", "says_no"),
    [
        ("We only take cash.", True),
        ("We take cash and cards.", False),
        ("The garden shop takes cash, so you can't pay with plastic.", True),
    ],
)
def test_the_only_thing_that_holds_rules_out_what_is_asked_for(response, says_no):
    found = agreed("Can I pay by card?", response, "No").measures
    assert bool(found["same_answer"]) is says_no


@pytest.mark.parametrize(
    ("response", "is_turned", "is_told"),
    [
        ("It dropped to 5.4% from 6.1%.", False, True),
        ("In spring the rate was 5.4 percent, in autumn 6.1.", True, False),
        ("It rose from 5.4% to 6.1%.", True, False),
        ("It is 5.4% now and was 6.1% before.", False, False),
        ("It was 6.1% in spring and 5.4% in autumn.", False, False),
    ],
)
def test_the_two_amounts_of_a_change_keep_their_order(response, is_turned, is_told):
    found = agreed("How did it develop?", response, "It fell from 6.1% to 5.4%.")
    assert ("has the change the other way round" in found.conflicts) is is_turned
    assert found.is_turned is is_told


def test_a_choice_by_one_who_does_not_know_is_no_answer():
    query, accepted = "Which bus goes there?", "Line 42"
    found = agreed(query, "It could be the 42 or the 24; I have no idea.", accepted)
    assert found.measures["other_answer"] == 1.0
    assert agreed(query, "It is the 42 or the 24.", accepted).measures["other_answer"] == 0.0


@pytest.mark.parametrize(
    ("response", "accepted", "recall"),
    [
        ("It was Alexander Graham Bell", "Alexander Fleming", 0.0),
        ("It was Sir Alexander Fleming", "Alexander Fleming", 1.0),
        ("It was A. Fleming", "Alexander Fleming", 0.5),
        ("It was Mario Lopes", "Maria Lopez", 0.0),
        ("It was Michel Debre", "Michel Debré", 1.0),
    ],
)
def test_another_bearer_of_a_name_is_not_the_answer(response, accepted, recall):
    assert agreed("Who was it?", response, accepted).measures["recall"] == recall


@pytest.mark.parametrize(
    ("response", "polarity"),
    [
        ("The canteen only takes cash.", "same_answer"),
        ("You can pay by card.", "other_answer"),
        ("We do; cards are fine.", "other_answer"),
    ],
)
def test_the_reason_behind_no_is_no(response, polarity):
    own = agreed("Can I pay by card in the canteen?", response, "No, cash only")
    assert own.measures[polarity]


@pytest.mark.parametrize(
    ("response", "is_excluded"),
    [
        ("They take cash only.", True),
        ("They take cash.", False),
        ("Only by card or in cash.", False),
    ],
)
def test_the_only_one_of_two_excludes_the_other(response, is_excluded):
    own = agreed("How can I pay in the canteen?", response, "By card or in cash")
    assert bool(own.conflicts) is is_excluded


def test_yes_that_is_taken_back_contradicts_itself():
    own = agreed("Is the battery included?", "Yes, although it is sold separately.", "Yes")
    assert own.conflicts == ["takes back its answer"]


@pytest.mark.parametrize(
    ("query", "response", "accepted", "polarity"),
    [
        ("Is glass a conductor?", "It does not conduct; it is an insulator.", "No", "same_answer"),
        ("Is glass a conductor?", "Glass conducts very well.", "No", "other_answer"),
        ("Can I return it now?", "Unfortunately it is too late.", "Yes", "other_answer"),
        ("Can I return it now?", "It is too late for that.", "No", "same_answer"),
        ("Is it too late to return it?", "It is too late now.", "Yes", "same_answer"),
        ("Is it too late to return it?", "It is not too late.", "No", "same_answer"),
        ("Is Sunday work voluntary?", "Nobody can be forced to work.", "Yes", "same_answer"),
        ("Is Sunday work voluntary?", "Nobody can be forced to work.", "No", "other_answer"),
        ("Can you be forced to work?", "Nobody can be forced to work.", "No", "same_answer"),
        (
            "Can I return shoes I bought in the sale?",
            "Shoes bought in the sale are final purchases, so they can't be sent back.",
            "No",
            "same_answer",
        ),
        ("Is the shop closed?", "The shop is open.", "No", "same_answer"),
        ("Do I need a permit?", "No, but bring your passport.", "Typically, no", "same_answer"),
        ("Do I need a permit?", "Yes, always.", "Typically, no", "other_answer"),
    ],
)
def test_no_in_other_words(query, response, accepted, polarity):
    assert agreed(query, response, accepted).measures[polarity]


@pytest.mark.parametrize(
    ("query", "response", "is_other"),
    [
        ("Who leads it?", "It is led by Susan Park's brother, Daniel.", True),
        ("Who leads it?", "It is led by Susan Park\u2019s brother, Daniel.", True),
        ("Who leads it?", "It is led by Susan Park, Daniel's sister.", False),
        ("Who leads it?", "Susan Park does; Susan Park's brother helps.", False),
        ("Whose brother leads it?", "Susan Park's brother does.", False),
    ],
)
def test_a_relative_is_not_the_expected_person(query, response, is_other):
    conflicts = agreed(query, response, "Susan Park").conflicts
    assert ("names somebody related to the expected person" in conflicts) is is_other


@pytest.mark.parametrize(
    ("query", "response", "is_wrong"),
    [
        ("Which is heavier, the Orin or the Vela?", "The Vela weighs less than the Orin.", True),
        ("Which is heavier, the Orin or the Vela?", "The Orin weighs less than the Vela.", False),
        ("Which is cheaper, the Orin or the Vela?", "The Vela costs more than the Orin.", True),
        ("Which is cheaper, the Orin or the Vela?", "The Orin costs more than the Vela.", False),
        ("Which is lighter, the Orin or the Vela?", "The Vela costs more than the Orin.", False),
    ],
)
def test_verbs_compare_as_qualities_do(query, response, is_wrong):
    own = agreed(query, response, "The Vela")
    assert ("compares the other way round" in own.conflicts) is is_wrong


@pytest.mark.parametrize(
    ("query", "response", "is_left_open"),
    [
        ("Where is it?", "It is either in Rome or in Paris.", True),
        ("Where is it?", "It is in Rome.", False),
        ("Is it in Rome or in Paris?", "It is either in Rome or in Paris.", False),
        ("أين هو؟", "هو إما في Rome أو في Paris", True),
    ],
)
def test_either_of_two_leaves_the_answer_open(query, response, is_left_open):
    conflicts = agreed(query, response, "in Rome").conflicts
    assert any("leaves open" in one for one in conflicts) is is_left_open


@pytest.mark.parametrize(
    ("response", "is_turned"),
    [("Mora defeated Hale.", True), ("Hale lost to Mora.", True), ("Hale defeated Mora.", False)],
)
def test_who_won_is_told_from_both_sides(response, is_turned):
    assert agreed("Who won?", response, "Mora beat Hale.").is_turned is is_turned


MOVED = "When did it move to Graz?"


@pytest.mark.parametrize(
    ("query", "response", "accepted", "is_elsewhere"),
    [
        (MOVED, "Founded in 1998, it moved to Graz in 2004.", "1998", True),
        (MOVED, "Founded in 1998, it moved to Graz in 2004.", "2004", False),
        (MOVED, "It came there in 1998 and was sold in 2004.", "1998", False),
        ("How much is a permit?", "A permit is 40 euros, a badge is 15.", "40 euros", False),
    ],
)
def test_the_expected_figure_of_something_else_is_not_the_answer(
    query, response, accepted, is_elsewhere
):
    conflicts = agreed(query, response, accepted).conflicts
    assert ("gives the expected figure for something else" in conflicts) is is_elsewhere


FRIDAYS = "When does it close on Fridays?"
SIZE = "What is the maximum file size?"


@pytest.mark.parametrize(
    ("query", "response", "accepted", "is_other"),
    [
        (FRIDAYS, "On Fridays it closes at 20:00, on other days at 18:00.", "18:00", True),
        (FRIDAYS, "On Fridays it closes at 18:00, on other days at 20:00.", "18:00", False),
        (FRIDAYS, "On Fridays it opens at 9. It closes at 18:00.", "18:00", False),
        ("When does it close?", "On Fridays it closes at 20:00, else at 18:00.", "18:00", False),
    ],
)
def test_the_figure_of_other_days_is_not_the_answer(query, response, accepted, is_other):
    conflicts = agreed(query, response, accepted).conflicts
    assert ("gives the expected figure for other days" in conflicts) is is_other


@pytest.mark.parametrize(
    ("query", "response", "accepted", "is_turned"),
    [
        (SIZE, "Files must be larger than 25 MB.", "25 MB", True),
        (SIZE, "Files must not be larger than 25 MB.", "25 MB", False),
        (SIZE, "Anything larger than 25 MB is rejected.", "25 MB", False),
        ("What is the minimum age?", "You have to be under 18.", "18", True),
        ("What is the minimum age?", "You have to be at least 18.", "18", False),
        ("What is the age of the club?", "You have to be under 18.", "18", False),
    ],
)
def test_a_limit_is_not_turned(query, response, accepted, is_turned):
    conflicts = agreed(query, response, accepted).conflicts
    assert ("gives the expected limit the other way round" in conflicts) is is_turned


SOLUTION = "Five pigs eat 8 pounds each, 8 x 5 = 40 pounds a day.\n300 - 40 = 260.\n#### 260"


@pytest.mark.parametrize(
    ("response", "is_right"),
    [
        ("Each pig eats 2 x 4 = 8 pounds.\nSo 40 pounds are eaten and 260 left.\nA: 260", True),
        ("Each pig eats 2 x 4 = 8 pounds.\nThe answer is 260.", True),
        ("8 x 5 = 40 pounds a day.\n300 - 40 = 260.\n#### 240", False),
        ("8 x 5 = 40 pounds a day.\n300 - 40 = 260.\nAnswer: 40", False),
    ],
)
def test_of_two_solutions_the_answers_are_compared(response, is_right):
    own = agreed("Dexter ordered 300 pounds for 5 pigs. How many are left?", response, SOLUTION)

    assert own is not None
    assert is_excluded(own) is not is_right
    assert own.measures["figures_met"] == float(is_right)
    assert all(response[one.start : one.end] in ("240", "40") for one in own.differences)


@pytest.mark.parametrize(
    ("query", "response", "accepted"),
    [("Is it 42 or 43?", "43", "42"), ("Out of 100, how many?", "100", "75")],
)
def test_a_figure_of_the_question_is_another_answer(query, response, accepted):
    assert is_excluded(agreed(query, response, accepted))


@pytest.mark.parametrize(
    ("response", "accepted"),
    [("Some of the members.", "All members"), ("They will come.", "They may come.")],
)
def test_another_quantity_or_certainty_excludes_the_answer(response, accepted):
    assert is_excluded(agreed("Who votes?", response, accepted))
    assert not is_excluded(agreed("Who votes?", accepted, accepted))


def test_just_what_is_expected_in_another_order_is_decided():
    flag = "Which colours does the flag have?"
    assert is_decided(agreed(flag, "Red, white and blue", "Blue, white and red"))
    assert not is_decided(agreed(flag, "Red, white and blue stripes", "Blue, white and red"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Holland/Netherlands", ["Holland", "Netherlands"]),
        ("red | green | blue", ["red", "green", "blue"]),
        ("1990/1991", ["1990", "1991"]),
        ("50 km/h in towns", ["50 km/h in towns"]),
        ("$600/month for everybody", ["$600/month for everybody"]),
        ("24/7", ["24/7"]),
        ("1984/May 1984", ["1984", "May 1984"]),
        (
            "a Norwegian town circa 1879/a Norwegian town",
            ["a Norwegian town circa 1879", "a Norwegian town"],
        ),
        ("one line/one more\nand another", ["one line/one more\nand another"]),
        (
            "Use the input/output streams to read the file.",
            ["Use the input/output streams to read the file."],
        ),
    ],
)
def test_slashes_part_answers_and_no_sentences(text, expected):
    assert alternatives(text) == expected


@pytest.mark.parametrize(
    ("query", "response", "missing"),
    [
        ("Who presides over the parliament?", "The Speaker", ["President"]),
        ("Is President the right title?", "The President", []),
    ],
)
def test_a_word_of_the_question_is_missing_where_it_is_all_of_the_answer(query, response, missing):
    assert agreed(query, response, "President").missing == missing


@pytest.mark.parametrize(
    ("response", "is_error"),
    [
        ("Sydney, although some say Canberra.", True),
        ("Many think it is Canberra, but it is Sydney.", True),
        ("Canberra, although some say Sydney.", False),
        ("Many think it is Sydney, but it is Canberra.", False),
    ],
)
def test_what_others_think_is_not_the_answer(response, is_error):
    own = agreed("What is the capital of Australia?", response, "Canberra")

    assert ("gives the expected answer as an error of others" in own.conflicts) is is_error


@pytest.mark.parametrize(
    ("query", "response", "is_other"),
    [
        ("أي النهرين أطول: النيل أم الفرات؟", "الفرات أطول من النيل.", True),
        ("أي النهرين أطول: النيل أم الفرات؟", "النيل أطول من الفرات.", False),
        ("أي النهرين أطول: النيل أم الفرات؟", "الفرات أقصر من النيل.", False),
        ("أيهما أرخص، النيل أم الفرات؟", "الفرات أرخص من النيل.", True),
    ],
)
def test_a_comparison_turned_round_excludes_the_answer(query, response, is_other):
    assert is_excluded(agreed(query, response, "النيل")) is is_other


@pytest.mark.parametrize(
    ("query", "response", "says_no"),
    [
        ("هل يمكن إلغاء الحجز؟", "العرض نهائي، فلا يمكن إلغاؤه بعد الدفع.", True),
        ("هل الاشتراك قابل للتحويل؟", "الاشتراك شخصي، ولا يحق لصاحبه أن ينقله.", True),
        ("هل سترتفع الأسعار؟", "اكتملت المراجعة، ولن ترتفع الأسعار.", True),
        ("هل يحتاج المواطن إلى تأشيرة؟", "المواطن معفى من التأشيرة.", True),
        ("هل الدفع بالبطاقة متاح؟", "الدفع بالبطاقة متاح، ولا توجد رسوم إضافية.", False),
        ("هل الدخول مجاني؟", "الدخول مجاني، فلا تدفع شيئا.", False),
    ],
)
def test_arabic_no_in_a_later_clause_or_by_an_exemption(query, response, says_no):
    own = agreed(query, response, "لا")
    assert bool(own.measures["same_answer"]) is says_no


@pytest.mark.parametrize(
    ("response", "is_other"),
    [
        ("Maize is sown first, then wheat.", True),
        ("Wheat is sown after maize.", True),
        ("Wheat is sown first, then maize.", False),
        ("Maize is sown after wheat.", False),
        ("تُزرع الذرة أولًا ثم القمح.", True),
        ("يُزرع القمح أولًا ثم الذرة.", False),
    ],
)
def test_the_other_order_of_two_events_excludes_the_answer(response, is_other):
    is_arabic = not response.isascii()
    accepted = "يُزرع القمح قبل الذرة." if is_arabic else "Wheat is sown before maize."
    own = agreed("Which is sown first?", response, accepted)
    assert is_excluded(own) is is_other


def test_a_time_of_day_is_no_event_of_an_order():
    own = agreed("When?", "After four it comes tomorrow.", "Before 4 pm it comes today.")
    assert "tells the other order" not in own.conflicts
