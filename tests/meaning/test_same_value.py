"""Values of fields: the same content is the same, however written; other content is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.meaning.same_value import MAX_DEPTH, compare_values

SAME = [
    ("price", "19.99", "$19.99"),
    ("total", "1,234.50", "1234.5"),
    ("total", "1.234,50 €", "1234.50 EUR"),
    ("amount", "1.5 million", "1,500,000"),
    ("quantity", 5, "five"),
    ("date", "2024-04-03", "03/04/2024"),
    ("date", "2024-04-03", "April 3rd, 2024"),
    ("date", "3 أبريل 2024", "2024-04-03"),
    ("date", "2024-04-03", "٣ أبريل ٢٠٢٤"),
    ("month", "March 2024", "2024-03"),
    ("start", "14:30", "2:30 PM"),
    ("when", "2024-03-09T14:30:00Z", "9 March 2024 14:30"),
    ("due", "Tuesday", "on Tuesday"),
    ("name", "John Smith", "Smith, John"),
    ("name", "Dr. John Smith", "john smith"),
    ("answer", "yes", "Yes."),
    ("active", True, "yes"),
    ("active", True, 1),
    ("invoice", "INV-2041", "inv 2041"),
    ("status", "in_progress", "In Progress"),
    ("phone", "+971 50 123 4567", "050 123 4567"),
    ("address", "12 Main St., Springfield", "12 Main Street, Springfield"),
    ("city", "München", "Munchen"),
    ("country", "UK", "United Kingdom"),
    ("company", "Acme Ltd.", "Acme Limited"),
    ("height", "180 cm", "1.8 m"),
    ("height_cm", "180", "1.8 m"),
    ("rate", "50%", "0.5"),
    ("duration", "90 minutes", "1.5 hours"),
    ("url", "https://www.example.org/", "example.org"),
    ("isbn", "978-3-16-148410-0", "9783161484100"),
    ("tags", ["a", "b"], ["b", "a"]),
    ("items", [{"n": 1, "k": "x"}, {"n": 2, "k": "y"}], [{"k": "y", "n": 2}, {"n": 1, "k": "x"}]),
    ("السعر", "٥٠ ريال", "50 ريالا"),
]
OTHER = [
    ("price", "€19.99", "$19.99"),
    ("quantity", "12", "21"),
    ("dose", "5 mg", "5"),
    ("date", "2024-04-03", "2024-03-04"),
    ("start", "14:30", "2:30 AM"),
    ("due", "Tuesday", "Thursday"),
    ("name", "John Smith", "Joan Smith"),
    ("answer", "yes", "no"),
    ("answer", "نعم", "لا"),
    ("invoice", "INV-2041", "INV-2042"),
    ("status", "open", "closed"),
    ("verdict", "safe", "not safe"),
    ("phone", "+971 50 123 4567", "050 123 4576"),
    ("address", "12 Main St.", "21 Main Street"),
    ("rate", "50%", "5%"),
    ("zip", "01234", "1234"),
    ("temperature", "20 °C", "20 °F"),
    ("steps", ["mix", "bake"], ["bake", "mix"]),
    ("coordinates", [1.5, 2.5], [2.5, 1.5]),
    ("weight", "2 pounds", "2 kg"),
    ("السعر", "٥٠ ريال", "50 درهم"),
    ("tags", ["a", "b"], ["a"]),
    ("address", {"city": "Leeds"}, {"city": "York"}),
    ("address", {"city": "Leeds"}, "Leeds"),
]


@pytest.mark.parametrize(("field", "expected", "actual"), SAME)
def test_the_same_content_in_another_form(field, expected, actual):
    match = compare_values(field, expected, actual)
    assert match.is_same, match.reason
    assert match.reason == ""


@pytest.mark.parametrize(("field", "expected", "actual"), OTHER)
def test_other_content(field, expected, actual):
    match = compare_values(field, expected, actual)
    assert not match.is_same
    assert match.reason


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)


@given(st.text(max_size=12), VALUES)
def test_every_value_is_the_same_as_itself(field, value):
    assert compare_values(field, value, value).is_same


@given(st.text(max_size=12), VALUES, VALUES)
def test_any_two_values_can_be_compared(field, one, other):
    match = compare_values(field, one, other)
    assert match.is_same != bool(match.reason)


def test_values_deep_inside_one_another_are_compared_as_they_stand():
    deep, other = "x", "X"
    for _ in range(MAX_DEPTH + 5):
        deep, other = [deep], [other]
    assert compare_values("a", deep, deep).is_same
    assert not compare_values("a", deep, other).is_same
