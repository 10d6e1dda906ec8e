"""Dates are read with the names of days and months that people write."""

import pytest

from assay.meaning import read
from assay.textproc.normal import normalise


def dates(text):
    normal = normalise(text)
    return [figure.date for figure in read(normal.text, normal.lower).figures]


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("الرابع من نوفمبر سنة ١٨٨٩", (1889, 11, 4)),
        ("الرابع عشر من نوفمبر عام 1889", (1889, 11, 14)),
        ("الأول من شهر يناير", (0, 1, 1)),
        ("في السابع والعشرين من أيلول", (0, 9, 27)),
        ("١ كانون الثاني", (0, 1, 1)),
        ("الأول من كانون الأول 2020", (2020, 12, 1)),
        ("تشرين الأول ٢٠٢٠", (2020, 10, 0)),
        ("5 تشرين الثاني لعام 2021", (2021, 11, 5)),
        ("5 آذار/مارس 2020", (2020, 3, 5)),
        ("12 كانون الثاني (يناير) 2020", (2020, 1, 12)),
        ("مارس 5، 2020", (2020, 3, 5)),
    ],
)
def test_arabic_dates_in_words(text, date):
    assert dates(text) == [date]


def test_a_stove_is_no_month():
    assert not dates("اشترى كانونا للفحم")
    assert not dates("كانون الفحم")
