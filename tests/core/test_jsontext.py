import json
import subprocess
import sys
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
        ('"a\nb"', "Invalid control character at character 3"),
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
        ('{"' + "k" * 100 + '": 1, "' + "k" * 100 + '": 1}', "the key '" + "k" * 79 + "…' appears"),
    ],
    ids=lambda value: value[:40],
)
def test_what_is_refused(text, message):
    for read in (jsontext.loads, jsontext.load_document):
        with pytest.raises(ValueError) as refusal:
            read(text)
        said = str(refusal.value)
        assert message.partition(" at character")[0] in said
        assert (message in said) == (read is jsontext.loads or "at character" not in message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1,\n "b" 2}', "Expecting ':' delimiter at line 2, column 6"),
        ("\ufeff[1 2]", "Expecting ',' delimiter at line 1, column 4"),
        ('["a\nb"]', "Invalid control character at line 1, column 4"),
        (r'["\ud800"]', "half a surrogate pair, which is no character, at line 1, column 3"),
        ('{\n"a": "\ud800"}', "half a surrogate pair, which is no character, at line 2, column 7"),
        (r'["\uDC00\ud800"]', "at line 1, column 3"),
        (r'["\ud83d\ude00\ud83d"]', "at line 1, column 15"),
        (r'{"\udfff": 1}', "at line 1, column 3"),
    ],
)
def test_a_document_is_refused_with_its_place(text, message):
    with pytest.raises(ValueError) as refusal:
        jsontext.load_document(text)
    assert str(refusal.value).endswith(message)


@pytest.mark.parametrize(
    "text", [r'"\ud83d\ude00"', r'"\\ud800"', r'"\\\ud83d\udE00\u0633"', '"😀"']
)
def test_whole_pairs_are_no_mistake(text):
    assert jsontext.load_document(text) == json.loads(text)


def test_finding_the_key_that_appears_twice_takes_one_pass():
    keys = ", ".join(f'"{number}": 1' for number in range(200_000))
    with pytest.raises(ValueError, match="the key '199999' appears twice"):
        jsontext.loads(f'{{{keys}, "199999": 2}}')


@checked
@given(VALUES)
def test_a_document_is_read_unless_it_holds_half_a_pair(value):
    for escaped in (True, False):
        text = json.dumps(value, ensure_ascii=escaped)
        try:
            assert jsontext.load_document(text) == value
        except ValueError as error:
            assert "half a surrogate pair" in str(error)
            with pytest.raises(UnicodeEncodeError):
                json.dumps(value, ensure_ascii=False).encode()


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
        ("\x00\u2028", r'"\u0000\u2028"'),
    ],
)
def test_text_stays_readable_unless_it_cannot_be_encoded(value, text):
    assert jsontext.dumps(value) == text


@pytest.mark.parametrize("code", [*range(0x7F, 0xA0), 0x2028, 0x202E, 0x2066])
def test_what_acts_on_a_terminal_is_written_as_an_escape(code):
    text = f"before{chr(code)}31mafter"
    written = jsontext.dumps({text: [text]})
    assert chr(code) not in written
    assert f"\\u{code:04x}" in written
    assert jsontext.loads(written) == {text: [text]}


def test_what_arabic_needs_is_written_as_it_is():
    text = "مرحبا\u200f \u200eAssay\u200e \u061c می\u200cخواهم"
    assert jsontext.dumps(text) == f'"{text}"'


@pytest.mark.parametrize("call", ["loads", "embedded_values"])
def test_deep_text_ends_no_program_that_raised_the_limit_of_calls(call):
    program = (
        "import sys; from assay.core.jsontext import embedded_values, loads\n"
        "sys.setrecursionlimit(10**6)\n"
        f"try: print({call}('[' * 200_000))\n"
        "except ValueError as error: print(error)\n"
        "print(loads('[' * 400 + ']' * 400) != [], loads('[\"' + '[' * 900 + '\"]') != [])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    first, second = ran.stdout.splitlines()
    assert first == ("nested deeper than 500 levels" if call == "loads" else "([], False)")
    assert second == "True True"
