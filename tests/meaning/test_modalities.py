"""What must, need not, may and must not be, said the other way round."""

import pytest

from assay.meaning import read
from assay.meaning.modalities import other_modality, same_modality


def found(claim, *sentences):
    return other_modality(read(claim), [read(sentence) for sentence in sentences])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("You need a first-aid certificate.", "A first-aid certificate is not required."),
        ("A certificate is mandatory.", "A certificate is optional."),
        ("You cannot do without a certificate.", "A certificate is not necessary."),
        ("The tenant has to redecorate the flat.", "Redecoration is not required."),
        ("You have to pay in advance.", "Payment in advance is not necessary."),
        ("Reservation is not needed.", "Reservation is compulsory."),
        ("Interns have to register.", "Interns need not register."),
        ("You may smoke in the rooms.", "Smoking is prohibited."),
        ("You may feed the animals.", "You must not feed the animals."),
        ("Bicycles cannot be taken on the ferry.", "Bicycles can be taken on the ferry."),
        ("Returns are possible.", "Returns are impossible."),
    ],
)
def test_a_sentence_says_the_reverse(claim, sentence):
    assert found(claim, sentence).kind == "modality"


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("You need no certificate.", "A certificate is not required."),
        ("You can do without a certificate.", "A certificate is not required."),
        ("You must not feed the animals.", "Feeding the animals is forbidden."),
        ("You don't have to pay extra for the reservation.", "Reservation is compulsory."),
        ("Employees must register.", "Interns need not register."),
        ("You can return unused items.", "Opened software cannot be returned."),
        ("You may smoke on the terrace.", "Smoking is prohibited in the rooms."),
        ("You need a visa.", "A visa is not required for citizens."),
        ("You need a visa.", "A visa is not required for up to 90 days."),
        ("You need a visa.", "If you stay a week, a visa is not required."),
        ("The museum opens at nine.", "A ticket is not required."),
    ],
)
def test_a_sentence_says_the_same_or_something_else(claim, sentence):
    assert found(claim, sentence) is None


def test_another_sentence_says_the_same():
    assert found("Dogs are allowed.", "Dogs are not allowed.", "Dogs are allowed.") is None


@pytest.mark.parametrize(
    ("claim", "is_same"),
    [
        ("New patients must have a referral.", True),
        ("New patients have to have a referral from their doctor.", True),
        ("New patients need no referral.", None),
        ("Old patients must have a referral.", None),
        ("New patients must have a card.", None),
    ],
)
def test_a_sentence_says_the_same_in_other_words(claim, is_same):
    sentence = read("New patients need a referral from their family doctor.")
    assert same_modality(read(claim), [sentence]) is is_same
