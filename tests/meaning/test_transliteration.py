"""Names in Latin and in Arabic letters."""

import pytest

from assay.meaning import read
from assay.meaning.transliteration import is_transliterated


def names(text):
    return [word for word in read(text).words if not word.is_empty]


@pytest.mark.parametrize(
    ("latin", "arabic"),
    [
        ("George Orwell", "مؤلفها هو جورج أورويل"),
        ("Aldous Huxley", "كتبها ألدوس هكسلي"),
        ("Paris", "عاصمتها باريس"),
        ("Rabat", "العاصمة هي الرباط"),
        ("Michael Jackson", "غناها مايكل جاكسون"),
        ("Shakespeare", "ألفها شكسبير"),
        ("Picasso", "رسمها بيكاسو"),
    ],
)
def test_a_name_is_known_in_both_scripts(latin, arabic):
    assert is_transliterated(names(latin), read(arabic).words)
    last = read(arabic).words[-len(names(latin)) :]
    assert is_transliterated(last, read(f"It was {latin}.").words)


@pytest.mark.parametrize(
    ("latin", "arabic"),
    [
        ("George Orwell", "مؤلفها هو ألدوس هكسلي"),
        ("George Orwell", "مؤلفها هو جورج واشنطن"),
        ("Paris", "عاصمتها برلين"),
        ("Oman", "هو عمان"),  # two consonants are those of many words
        ("Orwell", "George Orwell wrote it"),
    ],
)
def test_another_name_is_not(latin, arabic):
    assert not is_transliterated(names(latin), read(arabic).words)
