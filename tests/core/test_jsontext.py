import json
from math import inf, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import jsontext

TEXTS = st.text() | st.text(st.characters(exclude_categories=()))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
checked = settings(max_examples=300, deadline=None, derandomize=True)


@checked
@given(VALUES)
def test_what_is_written_is_read_back(value):
    text = jsontext.dumps(value)
    assert jsontext.loads(text) == value
    assert jsontext.loads(text.encode().decode()) == value
    assert json.loads(text) == value
    assert jsontext.loads(jsontext.dumps(value, indent=2)) == value


@checked
@given(st.text() | st.text(st.sampled_from('[]{}",:0123456789.eE+-\\u nulltruefalse\ufeff')))
def test_any_text_is_read_or_refused_with_a_reason(text):
    try:
        value = jsontext.loads(text)
    except ValueError as error:
        assert str(error)
        assert "\n" not in str(error)
    else:
        assert jsontext.loads(jsontext.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" [1, 2.5, -0.0, 1e3] ", [1, 2.5, 0.0, 1000.0]),
        ('{"a": {"a": 1}}', {"a": {"a": 1}}),
        ('\ufeff{"a": 1}', {"a": 1}),
        (r'"\u0633\u0639\u0631"', "سعر"),
        (r'"\ud83d\ude00"', "😀"),
        (r'"\ud800"', "\ud800"),
        ("1" * 400, int("1" * 400)),
        ("1e-999", 0.0),
        ("[" * 500 + "]" * 500, None),
        ("[" + '"[[[[[[[[[[",' * 100 + "1]", None),
    ],
)
def test_what_is_read(text, value):
    found = jsontext.loads(text)
    assert value is None or found == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Expecting value at character 1"),
        ("{", "Expecting property name enclosed in double quotes at character 2"),
        ("[1, 2", "Expecting ',' delimiter at character 6"),
        ("1 2", "Extra data at character 3"),
        ("{'a': 1}", "Expecting property name enclosed in double quotes at character 2"),
        ('"a\nb"', "Invalid control character at at character 3"),
        ('{"a": 1, "a": 1}', "the key 'a' appears twice"),
        ('[{"b": {"a": 1, "c": 2, "a": 3}}]', "the key 'a' appears twice"),
        ("NaN", "NaN is not a JSON number"),
        ("[Infinity]", "Infinity is not a JSON number"),
        ('{"a": -Infinity}', "-Infinity is not a JSON number"),
        ("1e999", "the number 1e999 is too large"),
        ("-1e999", "the number -1e999 is too large"),
        ("1" * 401, "the number 11111111111111111111… has 401 digits; expected at most 400"),
        ("9" * 100_000, "has 100000 digits; expected at most 400"),
        ("[" * 501 + "]" * 501, "nested deeper than 500 levels"),
        ('{"a":' * 501 + "1" + "}" * 501, "nested deeper than 500 levels"),
        ("[" * 100_000 + "]" * 100_000, "nested deeper than 500 levels"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested deeper than 500 levels"),
        ("[" * 100_000, "nested deeper than 500 levels"),
    ],
    ids=lambda value: value[:40],
)
def test_what_is_refused(text, message):
    with pytest.raises(ValueError) as refusal:
        jsontext.loads(text)
    assert message in str(refusal.value)


@pytest.mark.parametrize("value", [nan, inf, [-inf], {"a": nan}])
def test_numbers_that_json_does_not_have_are_not_written(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        jsontext.dumps(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("سعر", '"سعر"'),
        ("😀", '"😀"'),
        ("\ud800", r'"\ud800"'),
        ({"سعر": "\udfff"}, r'{"\u0633\u0639\u0631": "\udfff"}'),
        ("\x00\u2028", '"\\u0000\u2028"'),
    ],
)
def test_text_stays_readable_unless_it_cannot_be_encoded(value, text):
    assert jsontext.dumps(value) == text
