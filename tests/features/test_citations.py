import pytest

from assay.core import Document
from assay.features.citations import MAX_CITATIONS, response_citations
from assay.features.normal import normal

CONTEXTS = (Document("…", id="7", source="WHO report"), Document("…", source="تقرير"))


def cited(text, contexts=CONTEXTS):
    """The marks, the contexts that they lead to, and the words that they are to support."""
    return [
        (text[c.span.start : c.span.end].strip(), c.context, " ".join(c.words))
        for c in response_citations(normal.feature(text), contexts)
    ]


@pytest.mark.parametrize(
    ("why", "text", "expected"),
    [
        ("a place", "Tea is hot [2].", [("2", 1, "tea is hot")]),
        ("an id stands before a place", "Tea is hot [7].", [("7", 0, "tea is hot")]),
        ("a source", "Tea is hot [who report].", [("who report", 0, "tea is hot")]),
        ("an Arabic source", "[تَقرير] شاي", [("تَقرير", 1, "شاي")]),
        ("other brackets", "Tea is hot【２】。", [("２", 1, "tea is hot")]),
        ("no such context", "Tea is hot [3] [0] [x].", [(n, None, "tea is hot") for n in "30x"]),
        ("several", "Hot [1, 2; x].", [("1", 0, "hot"), ("2", 1, "hot"), ("x", None, "hot")]),
        ("behind the full stop", "Hot. [1] Cold.[2] Wet.", [("1", 0, "hot"), ("2", 1, "cold")]),
        ("at the beginning", "[1] Tea is hot. So it is.", [("1", 0, "tea is hot")]),
        ("alone", "[1]", [("1", 0, "")]),
        ("in the text", "WHO Report: hot.", [("WHO Report", 0, "who report hot")]),
        ("a number in the text is no name", "It costs 7.", []),
        ("part of a longer word is no name", "The WHO reports this.", []),
        ("a link", "See [this](http://a.b) [WHO report](http://a.b)", [("WHO report", 0, "see")]),
        ("nothing in brackets", "[] [ ] [,] [...]", []),
        ("a digit of another kind is no place", "Tea is hot [²³].", [("²³", None, "tea is hot")]),
        ("too long for a mark", f"[{'x' * 81}]", []),
        ("nothing", "", []),
    ],
)
def test_citations(why, text, expected):
    assert cited(text) == expected, why


def test_without_contexts_marks_lead_nowhere():
    assert cited("Tea is hot [1].", ()) == [("1", None, "tea is hot")]


def test_there_is_an_end_to_the_citations():
    assert len(cited("Hot [1]. " * 1000)) == MAX_CITATIONS
