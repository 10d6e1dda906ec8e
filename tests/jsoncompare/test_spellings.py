"""Short values that say the same in other words."""

import pytest

from assay.jsoncompare.spellings import compare_spellings, rewritten


@pytest.mark.parametrize(
    ("field", "expected", "actual"),
    [
        ("frequency", "twice a day", "2x daily"),
        ("interest", "5 % p.a.", "5 percent per year"),
        ("unit_price", "2.50/kg", "2.50 per kg"),
        ("quarter", "Q3 2024", "third quarter of 2024"),
        ("age", "34", "34 years old"),
        ("count", "3 pieces", 3),
        ("position", "Sr. Accountant", "Senior Accountant"),
        ("degree", "B.Sc.", "Bachelor of Science"),
        ("colours", "blue/white/red", "red, white, blue"),
        ("rating", "4.5/5", "4.5 out of 5"),
        ("fine", "CHF 120.-", "120 Swiss francs"),
        ("المدينة", "القاهرة", "القاهره"),
        ("المبلغ", "٣٧٥ ريالاً قطرياً", "375 QAR"),
        ("المبلغ", "50 دينار كويتي", "50.00 KWD"),
        ("الوقت", "الساعة الثالثة والنصف عصرًا", "15:30"),
        ("الحالة", "مكتمل", "مكتملة"),
        ("query", "waterproof hiking boots", "hiking boots waterproof"),
    ],
)
def test_other_words_for_the_same_match(field, expected, actual):
    assert compare_spellings(field, expected, actual).is_same


@pytest.mark.parametrize(
    ("field", "expected", "actual"),
    [
        ("frequency", "twice a day", "twice a week"),
        ("quarter", "Q3 2024", "fourth quarter of 2024"),
        ("age", "34", "43 years old"),
        ("count", "3 pieces", 4),
        ("share", "one third", "1/4"),
        ("الوقت", "الساعة الثالثة والنصف عصرًا", "03:30"),
        ("الاسم", "سعيد", "سعيدة"),
        ("المبلغ", "50 دينار كويتي", "50 دينار أردني"),
        ("title", "سقي الأشجار", "قطع الأشجار"),
        ("available", True, "no"),
    ],
)
def test_rewriting_makes_nothing_else_the_same(field, expected, actual):
    assert not compare_spellings(field, expected, actual).is_same


def test_a_number_keeps_its_reason():
    match = compare_spellings("age", "34", "43 years old")
    assert match.reason


def test_the_half_of_the_day_is_kept():
    assert rewritten("الحادية عشرة ليلا") == "11:00 pm"
    assert rewritten("الثامنة والربع صباحا") == "8:15 am"


def test_parts_of_an_object_are_rewritten_too():
    expected = {"mon": "9-17", "tue": "9-17"}
    assert compare_spellings("hours", expected, {"tue": "09:00-17:00", "mon": "9-17"}).is_same
    assert not compare_spellings("hours", expected, {"tue": "09:00-13:00", "mon": "9-17"}).is_same
    assert not compare_spellings("hours", expected, {"mon": "9-17"}).is_same
