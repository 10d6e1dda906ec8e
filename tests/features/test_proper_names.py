import pytest

from assay.features.normal import normal
from assay.features.proper_names import MAX_NAMES, proper_names


def found(text):
    spans = proper_names.feature.function(normal.feature(text), field="response")
    return [(text[span.start : span.end], span.label) for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ask Asha Rao of the CIC.", [("Asha Rao", "name"), ("CIC", "acronym")]),
        ("the Chief Information Officer", [("Chief Information Officer", "name")]),
        ("Élodie Müller wrote it", [("Élodie Müller", "name")]),
        ("Asha wrote it. Rao read it.", []),
        ("A man, an X, iPhones", []),
        ("Ａｓｈａ Ｒａｏ", [("Ａｓｈａ Ｒａｏ", "name")]),
        ("ميزانية الدفاع", []),
        ("", []),
    ],
)
def test_names_are_told_by_capital_letters(text, expected):
    assert found(text) == expected


def test_no_more_than_some_are_listed():
    assert len(found("ABC " * 1000)) == MAX_NAMES
