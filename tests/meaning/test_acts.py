"""Who does what, in the active and the passive voice, and from the other side of a verb."""

import pytest

from assay.meaning import read
from assay.meaning.acts import converse_roles, other_agent

FOUNDED = "The club was founded in 2001 by Maria Lopez and sold to Acme."


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Acme founded the club in 2001", FOUNDED),
        ("The city built the mill", "The mill was built by two brothers and bought by the city"),
        ("Dr. Hahn is supervised by Lena Ott", "Dr. Hahn supervises the student Lena Ott"),
        ("The farm delivers the bread", "Eggs come from the farm; bread is delivered by the mill"),
    ],
)
def test_a_verb_given_to_another_one_is_a_difference(claim, sentence):
    found = other_agent(read(claim), read(sentence))

    assert found is not None
    assert found.kind == "roles"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Maria Lopez founded the club", FOUNDED),
        ("The club was founded by Maria Lopez", FOUNDED),
        ("Lena Ott is supervised by Dr. Hahn", "Dr. Hahn supervises the student Lena Ott"),
        (
            "Two prints by Eva Horn were bought by the museum",
            "The museum bought two prints by Eva Horn",
        ),
    ],
)
def test_the_same_one_in_either_voice_is_none(claim, sentence):
    assert other_agent(read(claim), read(sentence)) is None


@pytest.mark.parametrize(
    ("claim", "sentence", "is_right"),
    [
        ("Edda bought the paper from Harland", "Harland sold the paper to Edda", True),
        ("Harland bought the paper from Edda", "Harland sold the paper to Edda", False),
        ("اشترى سامي السيارة من خالد", "باع خالد السيارة لسامي", True),
        ("اشترى خالد السيارة من سامي", "باع خالد السيارة لسامي", False),
        ("خسر الفريق الأحمر أمام الفريق الأزرق", "فاز الفريق الأزرق على الفريق الأحمر", True),
        ("خسر الفريق الأزرق أمام الفريق الأحمر", "فاز الفريق الأزرق على الفريق الأحمر", False),
        ("It rained", "It snowed", None),
    ],
)
def test_a_verb_seen_from_the_other_side_exchanges_its_sides(claim, sentence, is_right):
    assert converse_roles(read(claim), read(sentence)) is is_right


def test_a_day_behind_an_arabic_verb_is_nobody():
    sentence = read("يبدأ التسجيل في الدورة يوم 5 سبتمبر وينتهي يوم 20 سبتمبر")
    assert other_agent(read("ينتهي التسجيل يوم 20 سبتمبر"), sentence) is None
