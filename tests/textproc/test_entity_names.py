"""Names in a text, by their capital letters."""

import pytest

from assay.textproc.entity_names import names
from assay.textproc.normal import normalise


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It runs on iOS and in Graz.", [("ios",), ("graz",)]),
        ("We sell it on eBay.", [("ebay",)]),
        ("Drink water in Graz.", [("graz",)]),
        ("It weighs 5 kg.", []),
    ],
)
def test_a_capital_letter_behind_small_ones_makes_a_name(text, found):
    assert [name.words for name in names(normalise(text))] == found
