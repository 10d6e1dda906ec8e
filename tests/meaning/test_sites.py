"""Where something happened."""

import pytest

from assay.meaning import read
from assay.meaning.sites import other_site

LIFE = ("Mara Ellison (born 1961 in Leeds) studied chemistry", "She lives in Lisbon")
FIRM = ("The firm was founded in Bern and moved to Graz", "Its factory stands in Hof")


@pytest.mark.parametrize(
    ("claim", "passage", "expected"),
    [
        ("She was born in Lisbon", LIFE, "Leeds"),
        ("She lives in Leeds", LIFE, "Lisbon"),
        ("The firm was founded in Hof", FIRM, "Bern"),
        ("She was born in Leeds", LIFE, None),
        ("She studied in Leeds", LIFE, None),
        ("She was not born in Lisbon", LIFE, None),
        ("She was born in May", LIFE, None),
        ("She was born in Rome", LIFE, None),
    ],
)
def test_a_place_belongs_to_what_happened_there(claim, passage, expected):
    found = other_site(read(claim), [read(one) for one in passage])

    assert (found and found.expected) == expected
