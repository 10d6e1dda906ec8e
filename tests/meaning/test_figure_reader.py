"""Amounts that are said in several words are one figure."""

import pytest

from assay.meaning import read
from assay.textproc.normal import normalise


def figures(text):
    normal = normalise(text)
    return read(normal.text, normal.lower).figures


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("an hour and a half", "90 minutes"),
        ("one and a half hours", "90 minutes"),
        ("1½ hours", "90 minutes"),
        ("1 1/2 hours", "90 minutes"),
        ("1 hour 30 minutes", "90 minutes"),
        ("1 hour, 30 minutes", "90 minutes"),
        ("1h 30min", "90 minutes"),
        ("an hour and 20 minutes", "80 minutes"),
        ("an hour and three quarters", "105 minutes"),
        ("three quarters of an hour", "45 minutes"),
        ("half an hour", "30 minutes"),
        ("two hours and a quarter", "135 minutes"),
        ("a year and a half", "18 months"),
        ("a year and six months", "18 months"),
        ("two and a half years", "30 months"),
        ("two and a half million euros", "2,500,000 euros"),
        ("ساعة ونصف", "90 minutes"),
        ("ساعة ونصف الساعة", "90 دقيقة"),
        ("ساعة و30 دقيقة", "90 دقيقة"),
        ("ساعة وثلاثون دقيقة", "90 دقيقة"),
        ("ساعة إلا ربعا", "45 دقيقة"),
        ("ساعتان ونصف", "150 دقيقة"),
        ("ثلاث ساعات ونصف", "210 دقيقة"),
        ("ثلاثة أرباع الساعة", "45 دقيقة"),
        ("سنة ونصف", "18 شهرا"),
        ("one in four", "25 %"),
        ("by a third", "33.33 %"),
        ("3 out of 4 students", "75 percent"),
        ("واحد من كل اربعة", "25 %"),
        ("مليون ونصف المليون دولار", "1.5 مليون دولار"),
        ("ثلاثة ملايين ونصف", "3500000"),
    ],
)
def test_amount_in_several_words_is_one_figure(text, same):
    (one,) = figures(text)
    (other,) = figures(same)
    assert one.equals(other)
    assert not one.equals(other._replace(value=other.value * 1.1))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("two hours and a quarter of the staff", 2),
        ("24 hours, 7 days a week", 3),
        ("10 years and 5 years", 2),
        ("2 days of leave and 3 hours of work", 2),
        ("it takes an hour", 0),
        ("الساعة التاسعة ونصف", 1),
        ("بين 10 و20", 2),
    ],
)
def test_other_amounts_stay_apart(text, count):
    assert len(figures(text)) == count


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("from 40 to 52 million euros", [40e6, 52e6]),
        ("from 52 to 40 million", [52e6, 40e6]),
        ("between 5 and 8 million people", [5e6, 8e6]),
        ("from 900 to 2 thousand", [900, 2000]),
        ("from 3 to 5 kilometres", [3, 5]),
        ("to 3.2 million euros from 2.5 million", [3.2e6, 2.5e6]),
    ],
)
def test_both_ends_of_a_range_have_one_scale(text, values):
    assert [figure.value for figure in figures(text)] == values


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("two days a week", 3.5),
        ("two days weekly", 3.5),
        ("يومين في الأسبوع", 3.5),
        ("يومين أسبوعيا", 3.5),
        ("30 minutes a day", 1.0),
        ("ten days in a month", None),
    ],
)
def test_a_time_has_a_rate_by_its_period(text, days):
    rates = [figure.value for figure in figures(text) if figure.kind == "rate"]
    assert rates == ([] if days is None else [days])


def test_an_arabic_number_before_a_month_is_a_day():
    (date,) = figures("ينتهي في العشرين من سبتمبر")
    assert date.date == (0, 9, 20)


@pytest.mark.parametrize("text", ["10 p.m", "10 p.m.", "10 P.M. today", "10pm", "22:00"])
def test_half_of_the_day_is_read_with_and_without_full_stops(text):
    (figure,) = figures(text)
    assert (figure.kind, figure.value, figure.is_loose) == ("time", 22 * 60, False)


def test_full_stop_of_a_half_day_ends_a_sentence_before_a_capital_letter():
    reading = read("Open until 10 p.m. Towels are free")
    assert [word.sentence for word in reading.words if word.text in ("open", "towels")] == [0, 1]
    assert len(reading.text) == len("Open until 10 p.m. Towels are free")


@pytest.mark.parametrize(("text", "is_loose"), [("7:00 to 9:00", True), ("7:00 to 22:00", False)])
def test_beside_22_00_a_time_is_of_24_hours(text, is_loose):
    assert figures(text)[0].is_loose == is_loose


@pytest.mark.parametrize(
    ("words", "limit"),
    [
        ("at least", "least"),
        ("at most", "most"),
        ("no more than", "most"),
        ("not less than", "least"),
        ("no shorter than", "least"),
    ],
)
def test_limit_before_an_amount_in_words_is_read(words, limit):
    (figure,) = figures(f"{words} an hour and a half")
    assert (figure.limit, figure.value) == (limit, 1.5)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("11:45 in the morning", "11:45 pm", False),
        ("11:45 in the evening", "23:45", True),
        ("before 9 am", "after 9 am", False),
        ("before 9 am", "9 am", True),
        ("more than half", "fewer than half", False),
        ("more than half", "half", True),
        ("minus 4 degrees", "4 degrees below zero", True),
        ("-4 °C", "4 °C", False),
        ("365 days", "one year", True),
        ("24 hours", "two years", False),
        ("pages 3-4", "pages 3-4", True),
        ("مرة واحدة في الأسبوع", "مرتين في الأسبوع", False),
        ("اثنتا عشرة ساعة", "12 ساعة", True),
        ("fifty cents", "0.50 euros", True),
        ("50 cents", "$0.50", True),
        ("50 cents", "0.50 pounds", False),
        ("5 working days", "five days", True),
        ("18 or older", "at least 18", True),
        ("18 or older", "at most 18", False),
        ("at least an hour", "a minimum of 60 minutes", True),
        ("at least an hour", "at most 60 minutes", False),
        ("more than a week", "7 days", True),
        ("ساعة على الأقل", "60 دقيقة", True),
        ("ساعة على الأقل", "لا تزيد على 60 دقيقة", False),
        ("8 ساعات كحد أقصى", "8 ساعات على الأقل", False),
        ("two hours at the most", "at least two hours", False),
        ("must not exceed 25 MB", "at most 25 MB", True),
        ("must not exceed 25 MB", "more than 25 MB", False),
        ("كل اثنتي عشرة ساعة", "مرتين في اليوم", True),
        ("every twenty-four hours", "daily", True),
        ("ثلثه", "33٪", True),
        ("ثلاثة أيام أو أكثر", "3 أيام على الأقل", True),
        ("ثلاثة أيام أو أكثر", "3 أيام أو أقل", False),
        ("ألا يقل وزنها عن 20 كيلوغراما", "20 كيلوغراما على الأقل", True),
        ("لا يزيد وزنها على 20 كيلوغراما", "لا يقل وزنها عن 20 كيلوغراما", False),
        ("تتجاوز 100 مل", "تزيد على 100 مل", True),
        ("تتجاوز 100 مل", "لا تتجاوز 100 مل", False),
        ("نصفها", "50٪", True),
        ("ربعهم", "20٪", False),
    ],
)
def test_halves_of_the_day_and_limits(one, other, is_same):
    (first, *_), (second, *_) = figures(one), figures(other)
    assert first.equals(second) is is_same


@pytest.mark.parametrize("text", ["10 euros an hour", "within a day", "over a month"])
def test_one_unit_without_a_number_is_mostly_no_amount(text):
    assert not [figure for figure in figures(text) if figure.limit]


@pytest.mark.parametrize(("text", "count"), [("3 in 10 minutes", 2), ("4 in 2020", 2)])
def test_no_ratio(text, count):
    assert len(figures(text)) == count


def test_the_word_for_hour_is_part_of_an_arabic_time():
    text = "الساعة الثالثة والنصف عصرا"
    (figure,) = figures(text)
    assert text[figure.start : figure.end] == text


def test_another_unit_of_the_same_number_is_a_rival():
    (kilos,), (pounds,) = figures("8 kg"), figures("8 pounds")
    assert kilos.rivals(pounds) and not kilos.equals(pounds)


def test_energy_has_units():
    (small,), (large,) = figures("42,000 kWh"), figures("42 MWh")
    assert small.equals(large)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0.50 euros per item and week", 7),
        ("$5 a day", 1),
        ("12 euros per month", 30.4),
        ("5 euros for half an hour", None),
        ("30 km per hour", None),
        ("5 euros, and so on for a week", None),
    ],
)
def test_the_period_of_a_price(text, days):
    periods = [figure.value for figure in figures(text) if figure.kind == "rate"]
    assert periods == ([] if days is None else [pytest.approx(days)])


def test_a_range_of_weekdays_holds_those_between():
    def days(text: str) -> list[float]:
        return [figure.value for figure in read(text).figures if figure.kind == "weekday"]

    assert days("open Monday to Thursday") == [1, 2, 3, 4]
    assert days("from Saturday to Monday") == [6, 7, 1]
    assert days("open on Monday and Thursday") == [1, 4]
    assert days("من الاثنين إلى الخميس") == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("at a quarter to twelve at night", "at 23:45", True),
        ("at a quarter to twelve at night", "at 11:45 am", False),
        ("open 13 to 18", "from 1 p.m.", True),
        ("open 13 to 18", "from 2 p.m.", False),
        ("half a hectare", "5,000 square metres", True),
        ("half a hectare", "5,000 metres", False),
        ("from 40 to 50 euros", "40 euros", True),
        ("from 40 to 50 euros", "40 dollars", False),
        ("the first Monday of the month", "monthly", True),
        ("the first Monday of the month", "weekly", False),
        ("الثالث من مارس", "3 مارس", True),
        ("الثالث عشر من مارس", "3 مارس", False),
        ("الساعة الحادية عشرة صباحا", "11:00", True),
        ("50 درهما في الشهر", "شهريا", True),
        ("from 3 to 6 pm", "15:00", True),
        ("from 3 to 6 pm", "3 am", False),
        ("from 9 to 5 pm", "9 am", True),
        ("a kilo and a half", "1.5 kg", True),
        ("8 euros and 50 cents", "€8.50", True),
        ("ريالان و50 هللة", "2.5 ريال", True),
        ("الساعة الثالثة والنصف عصرا", "15:30", True),
        ("الساعة الواحدة ظهرا", "13:00", True),
        ("الواحدة والنصف ظهرا", "1:30 pm", True),
        ("ساعة واحدة", "13:00", False),
        ("3 عصرا", "15:00", True),
        ("5:10 فجرا", "17:10", False),
        ("10 ليلا", "22:00", True),
        ("2 ليلا", "2 am", True),
        ("07:00", "7 pm", False),
        ("7:00", "7 pm", True),
    ],
)
def test_figures_are_the_same_in_other_forms(one, other, is_same):
    assert any(map(figures(other)[-1].equals, figures(one))) is is_same


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("from 3 to 10 April", [(0, 4, 3), (0, 4, 10)]),
        ("من 3 إلى 10 نيسان", [(0, 4, 3), (0, 4, 10)]),
        ("from 30 to 2 April", [(0, 0, 0), (0, 4, 2)]),
        ("three of 10 April", [(0, 0, 0), (0, 4, 10)]),
    ],
)
def test_the_first_day_of_a_period_is_in_the_month_of_the_last(text, days):
    assert [figure.date for figure in figures(text)] == days


def test_a_time_ends_with_its_digits():
    (time,) = figures("the 09:33 train")

    assert (time.start, time.end) == (4, 9)
