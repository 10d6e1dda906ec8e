from itertools import product

import pytest

from assay.textproc import stem as module
from assay.textproc.stem import IRREGULAR, stem, stems


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("dies", "die"),
        ("died", "die"),
        ("agreed", "agre"),
        ("feed", "feed"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("hopping", "hop"),
        ("filing", "file"),
        ("happy", "happi"),
        ("enjoy", "enjoy"),
        ("sky", "sky"),
        ("relational", "relat"),
        ("generalizations", "gener"),
        ("geology", "geolog"),
        ("adoption", "adopt"),
        ("rate", "rate"),
        ("controlling", "control"),
        ("rolling", "roll"),
        ("syzygy", "syzygi"),
        ("", ""),
        ("is", "is"),
    ],
)
def test_the_stems_of_the_paper_and_of_its_extensions(word, expected):
    assert stem(word) == expected


def test_irregular_words_have_their_own():
    assert {word: stem(word) for word in IRREGULAR} == IRREGULAR


def test_short_words_and_other_scripts_stay():
    assert stems(["gas", "gasses", "niños", "кошки", "مدينة"]) == [
        "gas",
        "gass",
        "niños",
        "кошки",
        "مدينة",
    ]


def test_the_memo_is_bounded_and_changes_nothing(monkeypatch):
    monkeypatch.setattr(module, "MEMO_SIZE", 10)
    words = [f"{head}{tail}ing" for head, tail in product("abcde", "vwxyz")] * 2
    assert stems(words) == [stem(word) for word in words]
    assert len(module._STEMS) <= 10


def test_a_very_long_word_is_no_trouble():
    assert stem("y" * 1_000_000) == "y" * 999_999 + "i"
    assert stem("b" * 1_000_000 + "s") == "b" * 1_000_000
