import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.json_path import Wildcard, parse_path, path_text

STEPS = st.lists(st.text() | st.integers(0, 10**6), min_size=1, max_size=6).map(tuple)


@given(STEPS)
def test_every_path_has_one_text_and_every_text_one_path(steps):
    assert parse_path(path_text(steps)) == steps


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        (("items", 2, "price"), "items[2].price"),
        ((0, "a"), "[0].a"),
        (("a.b", "c"), '["a.b"].c'),
        (("",), '[""]'),
        (("first name",), "first name"),
        (("مدينة", "اسم"), "مدينة.اسم"),
        (("a", "*"), 'a["*"]'),
        (("items", Wildcard.PLACE, Wildcard.KEY), "items[*].*"),
    ],
)
def test_paths_are_written_as_documented(steps, text):
    assert path_text(steps) == text
    assert parse_path(text) == steps


@pytest.mark.parametrize(
    "text", ["", ".a", "a.", "a..b", "a[", "a[x]", "a]b", "a[1]b", 'a["b]', "a.[0]"]
)
def test_what_is_no_path_is_refused(text):
    with pytest.raises(ValueError, match=r"character|empty"):
        parse_path(text)
