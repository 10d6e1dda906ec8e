"""When something begins and ends."""

import pytest

from assay.meaning import ClaimDifference, read
from assay.meaning.periods import other_end

SALE = "The sale runs from 3 to 10 April in all shops"
SHOP = "The shop is open from 9 am to 6 pm"
WEEK = "The market lasts from Monday to Friday"
FAIR = "تنظم الجامعة معرض الكتاب من 3 إلى 10 نيسان"


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("The sale starts on 3 April", SALE, True),
        ("The sale ends on 10 April", SALE, True),
        ("The sale starts on 10 April", SALE, "date"),
        ("The sale ends on 3 April", SALE, "date"),
        ("The shop opens at 6 pm", SHOP, "time"),
        ("The shop closes at 6 pm", SHOP, True),
        ("The market begins on Friday", WEEK, "weekday"),
        ("يبدأ المعرض في 10 نيسان", FAIR, "date"),
        ("يبدأ المعرض في 3 نيسان", FAIR, True),
        ("The sale starts on 5 April", SALE, None),
        ("The sale does not start on 10 April", SALE, None),
        ("The course starts on 10 April", SALE, None),
        ("The sale starts with discounts on 3 April", SALE, None),
    ],
)
def test_a_period_has_a_beginning_and_an_end(claim, sentence, expected):
    found = other_end(read(claim), [read(sentence)])

    assert (found.kind if isinstance(found, ClaimDifference) else found) == expected
