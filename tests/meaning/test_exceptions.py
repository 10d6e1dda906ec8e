"""What a statement makes of an exception."""

import pytest

from assay.meaning import read
from assay.meaning.conflicts import conflicts
from assay.meaning.exceptions import ExceptionUse, exception_use

SHOPS = "All shops in the station are open on Sundays except the post office"
CAFE = "The café opens at 9 am every day but Monday"
DAYS = "يفتح المتحف أبوابه يوميا ما عدا يوم الجمعة"


@pytest.mark.parametrize(
    ("claim", "sentence", "use"),
    [
        ("The post office is closed on Sundays", SHOPS, ExceptionUse.KEPT),
        ("The post office is not open on Sundays", SHOPS, ExceptionUse.KEPT),
        ("The post office is open on Sundays", SHOPS, ExceptionUse.IGNORED),
        ("On Sundays all shops in the station are open", SHOPS, ExceptionUse.IGNORED),
        ("Shops in the station are open on Sundays", SHOPS, ExceptionUse.NONE),
        ("All shops apart from the post office are open", SHOPS, ExceptionUse.NONE),
        ("On Mondays the café is closed", CAFE, ExceptionUse.KEPT),
        ("The café opens on Mondays", CAFE, ExceptionUse.IGNORED),
        ("The café is small but cheap", "The café is nice but loud", ExceptionUse.NONE),
        ("المتحف مغلق يوم الجمعة", DAYS, ExceptionUse.KEPT),
        ("يفتح المتحف أبوابه يوم الجمعة", DAYS, ExceptionUse.IGNORED),
        ("يفتح المتحف كل يوم إلا الجمعة", DAYS, ExceptionUse.NONE),
        ("لا يفتح المتحف إلا يوم الجمعة", DAYS, ExceptionUse.IGNORED),
        ("The other shops are open", "The other shops are open", ExceptionUse.NONE),
    ],
)
def test_exceptions(claim, sentence, use):
    assert exception_use(read(claim), read(sentence)) is use


def test_an_ignored_exception_is_a_conflict_and_a_kept_one_is_none():
    sentence = read(SHOPS)
    ignored = read("The post office in the station is open on Sundays")
    kept = read("The post office in the station is closed on Sundays")
    assert [one.kind for one in conflicts(ignored, sentence, [sentence])] == ["negation"]
    assert not conflicts(kept, sentence, [sentence])
