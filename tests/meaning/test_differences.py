import pytest

from assay.meaning import differences, read
from assay.textproc.normal import normalise

SAME = [
    ("The town has 1.5 million people.", "The town has 1,500,000 people."),
    ("يحصل على ثلاثين يومًا", "٣٠ يومًا"),
    ("opened on November 9, 1989", "9 November 1989"),
    (
        "Open Saturday from 9 am to 2 pm and does not open on Sunday.",
        "Saturday 9:00-14:00, Sunday closed",
    ),
    ("Peter borrowed 300 dollars from Nadia.", "Nadia lent 300 dollars to Peter."),
    ("Paper is picked up on Fridays, once every two weeks.", "Every second Friday"),
    ("you get back 50 percent", "Half of it"),
    ("It freezes at 32 degrees Fahrenheit, not at 0 °F.", "32 °F"),
    ("A marathon is 26.2 miles long.", "42.195 km"),
    ("لا يفتح المتجر يوم الجمعة", "المتجر مغلق يوم الجمعة"),
    ("The dog was bitten by the man.", "The man bit the dog."),
    ("خمسة وعشرون ريالا", "25 ريال"),
    ("It costs twenty-five dollars", "$25"),
    ("taken two hundred and five photos", "205 photos"),
    ("تفتح من التاسعة صباحا", "9:00"),
    ("$5m", "5 million dollars"),
    ("It boils at 212 °F.", "100 degrees Celsius"),
    ("We open at nine in the morning.", "9 AM"),
    ("from ten in the morning to half past six in the evening", "10:00-18:30"),
    ("a quarter to five pm", "16:45"),
    ("a quarter to midnight", "23:45"),
    ("twenty to midnight", "23:40"),
    ("We meet at ten to nine.", "8:50"),
    ("رسومها مئتا دينار", "200 دينار"),
    ("half past noon", "12:30 pm"),
    ("each evening, but not on Sundays", "Every evening except Sunday"),
    ("It stops in Mill Street, not at the market.", "In Mill Street instead of the market"),
    ("في التاسعة والنصف صباحا", "9:30 am"),
    ("الساعة الثامنة إلا ربعا", "7:45"),
    ("twice weekly", "two times a week"),
    ("every half hour", "every thirty minutes"),
    ("every quarter of an hour", "every 15 minutes"),
    ("كل نصف ساعة", "كل 30 دقيقة"),
    ("مرتين أسبوعيا", "مرتين في الأسبوع"),
    ("Once a fortnight", "every two weeks"),
    ("اشترى سامي السيارة من خالد.", "باع خالد السيارة لسامي."),
    ("لا يجوز التدخين في الداخل.", "التدخين ممنوع داخل المطعم."),
    ("It must arrive by 18:00.", "It must arrive no later than 18:00."),
    ("at least three photos", "no fewer than three photos"),
]
OTHER = [
    ("Use 12 letters or fewer.", "At least 12 letters", "limit", "12 letters or fewer"),
    ("It is 12 km away.", "It is 12 miles away.", "unit", "12 km"),
    ("يحصل على عشرين يومًا", "٣٠ يومًا", "number", "عشرين يوما"),
    ("opened on November 9, 1998", "9 November 1989", "date", "November 9, 1998"),
    ("The meeting is on Tuesday.", "The meeting is on Thursday.", "weekday", "Tuesday"),
    ("It opens at 3 pm.", "It opens at 16:00.", "time", "3 pm"),
    ("Paper is picked up twice every week.", "Every second Friday", "rate", "twice every week"),
    ("at least 5 days", "at most 5 days", "limit", "at least 5 days"),
    ("The office is not safe.", "The office is safe.", "negation", "not"),
    ("المتجر مغلق يوم الجمعة", "المتجر مفتوح يوم الجمعة", "opposite", "مغلق"),
    ("Prices rose by 5%.", "Prices fell by 5 percent.", "opposite", "rose"),
    ("All students register.", "Some students register.", "quantity_words", "All"),
    ("The stock price went down on Monday.", "The stock price rose on Monday.", "opposite", "went"),
    ("باع سامي السيارة لخالد.", "باع خالد السيارة لسامي.", "roles", "'سامي السيارة لخالد'"),
    ("It boils at 200 °F.", "100 degrees Celsius", "number", "200 °F"),
    ("It stays open until half past five pm.", "18:30", "time", "half past five pm"),
    ("Visitors may wear a badge.", "Visitors must wear a badge.", "modality", "may"),
    ("taken before the meal", "taken after the meal", "time_order", "before"),
    ("The cat chased the dog.", "The dog chased the cat.", "roles", "'cat chased the dog'"),
    (
        "هزم الزمالك الأهلي في المباراة",
        "هزم الأهلي الزمالك في المباراة",
        "roles",
        "'الزمالك الأهلي'",
    ),
    ("at most three photos", "no fewer than three photos", "limit", "at most three"),
    (
        "Teams have at most 30 players and 5 coaches.",
        "Teams have 5 coaches and at least 30 players.",
        "limit",
        "at most 30",
    ),
    ("The shop sells tickets.", "The shop no longer sells tickets.", "negation", ""),
    ("No, it closes early.", "Yes, it closes early.", "answer", "no"),
    ("The capital of France is Lyon.", "The capital of France is Paris.", "name", "Lyon"),
]


def reading(text):
    found = normalise(text)
    return read(found.text, found.lower)


@pytest.mark.parametrize(("claim", "reference"), SAME)
def test_other_wordings_of_the_same_do_not_differ(claim, reference):
    assert differences(reading(claim), reading(reference)) == []


@pytest.mark.parametrize(("claim", "reference", "kind", "said"), OTHER)
def test_a_difference_is_named_with_its_place(claim, reference, kind, said):
    own, other = reading(claim), reading(reference)
    found = [one for one in differences(own, other) if one.kind == kind]
    assert [one.claimed for one in found] == [said]
    assert 0 <= found[0].start < found[0].end <= len(own.text)
    assert 0 <= found[0].other_start < found[0].other_end <= len(other.text)


def test_a_text_does_not_differ_from_itself():
    text = reading("No, Peter may not lend 300 dollars to Nadia before Friday at 9:30 pm.")
    assert differences(text, text) == []
