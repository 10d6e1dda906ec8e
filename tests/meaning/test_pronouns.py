"""Of whom a sentence speaks that opens with a pronoun."""

import pytest

from assay.meaning import read
from assay.meaning.pronouns import other_antecedent

NOVELS = (
    "Mara Ellison wrote The Salt Road",
    "It won the Harper Prize",
    "Glass Harbour was made into a film by Tom Reyes",
    "Her husband plays the cello",
    "She lives in Lisbon with him",
)


@pytest.mark.parametrize(
    ("claim", "passage", "name"),
    [
        ("Glass Harbour won the Harper Prize", NOVELS, "Glass Harbour"),
        ("The Salt Road won the Harper Prize", NOVELS, None),
        ("Ida Falk won the Harper Prize", NOVELS, None),
        ("Glass Harbour won no Harper Prize", NOVELS, None),
        ("She won the Harper Prize", NOVELS, None),
        (
            "Ben Carter moved to Oslo",
            ("Ben Carter met Ida Falk", "Ida Falk left", "In May she moved to Oslo"),
            "Ben Carter",
        ),
        (
            "Ben Carter moved to Oslo",
            ("Ida Falk met Ben Carter", "Soon he moved to Oslo"),
            None,
        ),
    ],
)
def test_a_pronoun_stands_for_the_name_before_it(claim, passage, name):
    found = other_antecedent(read(claim), [read(one) for one in passage])

    assert (found and found.claimed) == name
