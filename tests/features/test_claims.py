import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core import Document
from assay.features.chunks import context_chunks
from assay.features.claims import MAX_CLAIMS, response_claims, statements
from assay.features.normal import normal

TEXTS = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["Tea is hot. ", "[1]", "[Source: a.pdf] ", "\n- ", "Why? ", "50 crore ", "。", "ﷺ"]
        )
    ).map("".join),
)


def claims(text, *contexts):
    return response_claims(normal.feature(text), contexts)


def test_sentences_items_and_citations_are_claims():
    text = (
        "Hello there! The Ministry spent ₹50 crore in 2019-20 [Source: budget.pdf]. Is it open?\n"
        "- the first item of all\n- the second by John Smith [2]\n\nFine."
    )
    found = claims(text, Document("x", source="budget.pdf"))
    assert [(text[c.start : c.end], c.kind) for c in found] == [
        ("The Ministry spent ₹50 crore in 2019-20", "numeric"),
        ("[Source: budget.pdf]", "citation"),
        ("the first item of all", "assertion"),
        ("the second by John Smith", "entity"),
        ("[2]", "citation"),
    ]
    assert found[0].kinds == ("numeric", "temporal", "entity", "assertion")
    assert [c.context for c in found if c.kind == "citation"] == [0, None]
    assert "[2]" not in found[3].text


@pytest.mark.parametrize(
    "text",
    [
        "To reset your password:\n1. Open the settings.\n2. Choose Security now.",
        "The steps are as follows:\n1. Open the settings\n2. Choose Security now",
        "Steps of the reset:\n1) Open the settings\n2) Choose Security now",
        "Steps of the reset:\n\n- Open the settings.\n- Choose Security now.",
    ],
)
def test_the_number_of_an_item_is_no_part_of_a_claim(text):
    assert [c.text for c in claims(text)] == ["Open the settings", "Choose Security now"]


def test_a_remark_in_brackets_is_no_citation():
    (found,) = claims("The door [sic] is open.")
    assert found.text == "The door [sic] is open"


def test_short_pieces_claim_nothing():
    assert claims("It is so. Yes it is.") == ()
    assert len(claims("It is so now.")) == 1


def test_very_many_claims_are_cut():
    assert len(claims("It is really so. " * 1000)) == MAX_CLAIMS


@settings(deadline=None)
@given(TEXTS)
def test_claims_lie_in_the_response_in_order(text):
    found = claims(text, Document("x", source="a.pdf"))
    assert all(0 <= c.start < c.end <= len(text) for c in found)
    assert [c.start for c in found] == sorted(c.start for c in found)


@settings(deadline=None)
@given(st.lists(TEXTS, max_size=3))
def test_pieces_lie_in_their_contexts_and_miss_no_word(texts):
    found = context_chunks(tuple(map(Document, texts)))
    for chunk in found.all:
        start, end = chunk.span
        assert 0 <= start < end <= len(texts[chunk.context])
    for place, text in enumerate(texts):
        own = "".join(c.text for c in found.all if c.context == place)
        letters = [char for char in normal.feature(text).text if char.isalnum()]
        assert [char for char in own if char.isalnum()] == letters


def test_a_long_line_is_cut_into_pieces():
    found = context_chunks((Document("word " * 500 + "京" * 5000),))
    assert max(len(chunk.text) for chunk in found.all) <= 1000
    assert len(found.all) > 10


def test_a_citation_may_name_a_page_of_its_source():
    contexts = (Document("The cost was 5.", source="budget.pdf"),)
    cited = response_claims(
        normal.feature("The cost was 5. [Source: budget.pdf, page 4]"), contexts
    )
    assert [claim.context for claim in cited if claim.kind == "citation"] == [0]


@pytest.mark.parametrize(
    "cited",
    [
        "[1]",
        "[Pool rules]",
        "(pool rules)",
        "(Pool Rules, p. 2)",
        "(source: pool rules)",
        "(see handbook.pdf, page 3)",
        "(ref. 2)",
        "(pool rules; price list)",
        "(المصدر: دليل.pdf)",
    ],
)
def test_statement_is_judged_without_what_it_cites(cited):
    contexts = (
        Document("x", source="docs/Pool_rules.pdf"),
        Document("y", source="price list", id="Pool rules"),
    )
    (statement,) = statements(normal.feature(f"Adults pay 7 euros {cited}."), contexts)
    assert statement.text == "Adults pay 7 euros"


@pytest.mark.parametrize("remark", ["(children 3)", "(2)", "(see below)", "(config.txt)"])
def test_other_remarks_stay_part_of_the_statement(remark):
    contexts = (Document("x", id="2"), Document("y", source="price list"))
    (statement,) = statements(normal.feature(f"Adults pay 7 euros {remark}."), contexts)
    assert statement.text == f"Adults pay 7 euros {remark}"


def test_neighbouring_words_are_neighbours_within_one_piece():
    found = context_chunks((Document("The lift is old. Stairs are new."),))
    share = found.window(0).pairs_share
    assert share(statements(normal.feature("Stairs are new."))[0].keys) == 1.0
    assert share(statements(normal.feature("The old stairs are green."))[0].keys) == 0.25
