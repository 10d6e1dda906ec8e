import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core import Span
from assay.data import policy
from assay.features.normal import normal
from assay.features.policy_hits import excused, lacking, policy_hits, unread, unread_by
from assay.scoring.weighted_patterns import weigh_section

SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 10)), max_size=12).map(
    lambda places: sorted(Span("query", start, start + size) for start, size in places)
)


def hits(field, text, name="rti"):
    return policy_hits.of(field).function(normal.feature(text), policy(name), field=field)


@given(found=SPANS, excuses=SPANS)
def test_an_excuse_covers_what_lies_inside_it(found, excuses):
    expected = [s for s in found if not any(e.start <= s.start and s.end <= e.end for e in excuses)]
    assert list(excused(found, excuses)) == expected


def test_the_query_is_searched_for_clauses_and_the_response_for_the_rest():
    text = "the published defence budget is exempt from appeal, says a@nic.in"
    asked, said = hits("query", text), hits("response", text)
    assert {section for section, spans in asked.items() if spans} == {"exemption", "allowed"}
    assert {section for section, spans in said.items() if spans} == {
        "refusal",
        "appeal",
        "identifier",
        "official_contact",
    }
    (keyword,) = asked["exemption"]
    assert keyword == Span("query", 14, 21, "8(1)(a): defence")


def test_a_section_that_the_pack_lacks_has_no_hits():
    assert hits("query", "What is the defence budget?", "eu_ai_act")["exemption"] == ()
    assert hits("response", "")["transparency"] == ()


def test_places_are_those_of_the_text_as_given():
    (keyword,) = hits("query", "x\u200b\u200b de\u00adfence")["exemption"]
    assert (keyword.start, keyword.end) == (4, 12)


def test_a_pattern_weighs_once():
    pack = policy("rti")
    found = weigh_section(pack, hits("response", "appeal, appeal, CIC")["appeal"], "appeal")
    assert (found.score, found.names) == (0.5, ("appeal", "information commission"))


@pytest.mark.parametrize(
    ("languages", "language", "is_read"),
    [
        (("en",), "en", True),
        (("en",), "de", True),
        (("en",), "und", True),
        (("en",), None, True),
        (("en",), "ar", False),
        (("en", "ar"), "ar", True),
        (("en", "ar"), "hi", False),
        (("hi",), "en", False),
        (("hi",), "hi", True),
    ],
)
def test_only_another_script_cannot_be_read(languages, language, is_read):
    result = unread(languages, language, "query")
    assert (result is None) is is_read
    if result:
        assert result.state == "missing"
        assert result.explanation == (
            f"The rule reads {', '.join(languages)}; the query is in {language!r}."
        )


def test_who_cannot_read_or_lacks_something_is_named():
    pack = policy("eu_ai_act")
    assert lacking(pack, "appeal") is None
    assert lacking(pack, "exemption").explanation == "The policy 'eu_ai_act' has no [[exemption]]."
    assert unread_by(pack, "ar", "response").explanation.startswith("The policy 'eu_ai_act' reads")
