"""Numbers in several words are one figure, and two numbers are two."""

import pytest

from assay.meaning import read
from assay.textproc.normal import normalise


def values(text):
    normal = normalise(text)
    return [figure.value for figure in read(normal.text, normal.lower).figures]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("اثني عشر ألفًا وخمسمئة", 12_500),
        ("ثلاثة آلاف ومئتان", 3_200),
        ("مئة وخمسة وعشرون", 125),
        ("خمسة عشر ألفًا ومئتان وواحد وعشرون", 15_221),
        ("ألف وتسعمائة وخمسة وأربعون", 1_945),
        ("مليونان وثلاثمئة ألف", 2_300_000),
        ("مليون وألفان", 1_002_000),
        ("ألف مليون", 1e9),
        ("واحدًا وعشرين", 21),
        ("ألفًا ومئتين", 1_200),
        ("ألفا دينار", 2_000),
        ("مليونَي دولار", 2e6),
        ("ثلاثون مليونًا", 3e7),
    ],
)
def test_arabic_number_in_several_words(text, value):
    assert values(text) == [value]


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("بين ثلاثة وخمسة أيام", [3, 5]),
        ("بين عشرة وعشرين يومًا", [10, 20]),
        ("مئتان وثلاثمئة", [200, 300]),
    ],
)
def test_two_arabic_numbers_stay_apart(text, both):
    assert values(text) == both


def test_a_particle_before_an_amount_is_no_part_of_it():
    assert values("قبل الطعام بنصف ساعة") == [0.5]
    assert values("بعده بساعتين") == [2]
