import pytest

from assay.features.form_checks import (
    checks,
    last_character,
    quality_checks,
    quality_share,
    tags,
    unicode_checks,
    without_closing,
)

NAMES = ("has_minimum_length", "is_not_empty", "has_no_html_tags", "ends_properly")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (False, False, True, False)),
        ("We know that 5 > 3 holds.", (True, True, False, True)),
        ("ما هو الجواب الصحيح؟", (True, True, True, False)),
        ("123456789.", (True, True, True, True)),
        ("12345678.", (False, True, True, True)),
        ("  \n ", (False, False, True, False)),
        (" It goes on: \n", (True, True, True, True)),
    ],
)
def test_the_documented_checks(text, expected):
    assert quality_checks(text) == dict(zip(NAMES, expected, strict=True))
    assert checks.feature(text) == quality_checks(text)


def test_limits_are_inclusive():
    assert quality_checks("Yes.", min_length=4)["has_minimum_length"]
    assert not quality_checks("Yes.", min_length=5)["has_minimum_length"]
    assert quality_checks("Yes.", max_length=4)["within_max_length"]
    assert not quality_checks("Yes. ", max_length=4)["within_max_length"]
    assert not quality_checks("Yes.", max_length=0)["within_max_length"]
    assert "within_max_length" not in quality_checks("Yes.")


@pytest.mark.parametrize("ending", [*".!?:;؟۔؛…。！？।", '."', ".”", "!)", "؟»", ".』", "?**"])
def test_answers_end_properly_in_any_script(ending):
    assert unicode_checks(f"It is open{ending}")["ends_properly_unicode"]


@pytest.mark.parametrize("ending", ["", ",", "”", ")", "-", "،"])
def test_answers_that_break_off(ending):
    assert not unicode_checks(f"It is open{ending}")["ends_properly_unicode"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>c</b>", ["<b>", "</b>"]),
        ('<a href="x">y', ['<a href="x">']),
        ("<br/> <br /> <h1>", ["<br/>", "<br />", "<h1>"]),
        ("<!-- note -->", ["<!--"]),
        ("<!DOCTYPE html>", ["<!DOCTYPE"]),
        ("5 < 3 > 2, a<b, <3 and <->", []),
        ("x < y and y > z", []),
        ("<b <i>x", ["<i>"]),
    ],
)
def test_tags(text, expected):
    assert [text[start:end] for start, end in tags(text)] == expected


def test_what_closes_a_text():
    assert without_closing('He said: "It is (open)."') == 'He said: "It is (open).'
    assert without_closing('"”)]') == ""
    assert last_character("ab \n", "x") == [("response", 1, 2, "x")]
    assert last_character(" \n", "x") == []


def test_the_share_names_what_fails():
    result = quality_share({"a": True, "b": False, "c": True, "d": False}, ())
    assert result.value == 0.5
    assert result.explanation == "The response holds 2 of 4 checks; it fails b, d."
    assert result.details == {"a": True, "b": False, "c": True, "d": False}
