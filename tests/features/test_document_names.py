import pytest

from assay.core import Document
from assay.features.document_names import (
    MAX_MENTIONS,
    document_key,
    document_keys,
    response_document_names,
)
from assay.features.normal import normal

CONTEXTS = (
    Document("…", id="d-1", source="files/Budget_2023.pdf"),
    Document("…", id="d-2", source="files/Budget_2023.pdf"),
    Document("…", id="annual report"),
    Document("…", id="7"),
    Document("…", source="تقرير_الميزانية.pdf"),
)


def named(text, contexts=CONTEXTS):
    """Key, places of the contexts, and the words of the response, for each document named."""
    return [
        (name.key, name.contexts, [text[span.start : span.end] for span in name.spans])
        for name in response_document_names(normal.feature(text), contexts)
    ]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("budget.pdf", "budget"),
        ("Budget_2023.PDF", "budget 2023"),
        ("files/2023/Budget__2023.docx", "budget 2023"),
        (r"C:\files\budget.xlsx", "budget"),
        ("https://a.gov/files/budget.pdf?page=3", "budget"),
        ("https://who.int/", "who.int"),
        ("guidance v1.2", "guidance v1.2"),
        ("archive.7z", "archive"),
        ("no ending", "no ending"),
        (".env", ".env"),
        ("تَقرير_الميزانية.pdf", "تقرير الميزانية"),
        ("__", ""),
        ("", ""),
    ],
)
def test_the_key_of_a_name(name, key):
    assert document_key(name) == key


def test_the_keys_of_contexts():
    assert document_keys(CONTEXTS) == {
        "budget 2023": (0, 1),
        "d-1": (0,),
        "d-2": (1,),
        "annual report": (2,),
        "7": (3,),
        "تقرير الميزانية": (4,),
    }


BUDGET = "budget 2023"


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("words", "See the Budget  2023.", [(BUDGET, (0, 1), ["Budget  2023"])]),
        ("a file", "[Source: budget_2023.pdf]", [(BUDGET, (0, 1), ["budget_2023.pdf"])]),
        ("no blank after it", "Budget 2023.The", [(BUDGET, (0, 1), ["Budget 2023"])]),
        ("an id", "As D-2 says.", [(BUDGET, (0, 1), ["D-2"])]),
        ("an id alone", "Annual report: no.", [("annual report", (2,), ["Annual report"])]),
        ("twice", "D-1, d-2, d-1.", [(BUDGET, (0, 1), ["D-1", "d-2", "d-1"])]),
        ("Arabic", "انظر تقرير الميزانية.", [("تقرير الميزانية", (4,), ["تقرير الميزانية"])]),
        ("part of a longer word", "Budget 20234, annual reports, ad-1", []),
        ("part of another file", "See old_budget_2023.pdf.", []),
        ("a number is no name", "It costs 7.", []),
        ("nothing", "", []),
    ],
)
def test_names_in_the_response(why, text, expected):
    assert named(text) == expected, why


def test_the_longest_of_overlapping_names():
    contexts = (Document("…", id="budget", source="budget of 2023.pdf"),)
    found = [("budget of 2023", (0,), ["Budget of 2023", "budget"])]
    assert named("Budget of 2023, or budget.", contexts) == found


def test_a_mark_that_is_a_letter_makes_a_longer_word():
    assert named("बजटी", (Document("…", source="बजट.pdf"),)) == []


def test_there_is_an_end_to_the_mentions():
    ((_, _, words),) = named("annual report " * 200)
    assert len(words) == MAX_MENTIONS


def test_a_name_that_is_a_text_is_not_looked_for():
    assert named("word " * 100, (Document("…", id="word " * 100),)) == []


def test_without_contexts_nothing_is_named():
    assert named("Budget 2023", ()) == []
