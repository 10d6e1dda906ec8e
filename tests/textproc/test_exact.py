import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.textproc.exact import Comparable

TEXTS = st.text(st.characters(exclude_categories=()), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        (" Yes\n", "none", "yes"),
        ("ﬁ", "none", "ﬁ"),
        ("ﬁ", "nfkc", "fi"),
        ("\u00a0Ａ\u3000", "nfkc", "a"),
        ("e\u0301", "nfkc", "é"),
        ("", "none", ""),
    ],
)
def test_what_is_compared(text, form, expected):
    assert Comparable(text, form).text == expected


@settings(max_examples=300, deadline=None, derandomize=True)
@given(one=TEXTS, other=TEXTS, form=st.sampled_from(["none", "nfkc"]))
def test_there_is_something_to_show_for_every_difference(one, other, form):
    a, b = Comparable(one, form), Comparable(other, form)
    if a.text != b.text:
        place = a.first_difference(b)
        assert place == b.first_difference(a)
        rests = [(a.rest(place), one), (b.rest(place), other)]
        assert all(0 <= start <= end <= len(text) for (start, end), text in rests)
        assert any(start < end for (start, end), _ in rests)
