import pytest

from assay.core import Span
from assay.core.bounds import clamp
from assay.data import lexicon
from assay.features.hits import hits
from assay.features.normal import normal
from assay.scoring.weighted_patterns import by_place, quoted, weigh
from assay.textproc.patterns import matcher

NAME = "gov_citation_marks.en"


def weighed(text):
    found = hits.feature.function(
        normal.feature(text), matcher(frozenset({NAME})), field="response"
    )
    return weigh(found, NAME)


def test_each_pattern_counts_once_and_every_hit_is_shown():
    text = "See page 3 and page 4, as per the order."
    found = weighed(text)
    assert found.score == pytest.approx(0.5)
    assert found.names == ("section/page number", "according to …")
    assert [text[s.start : s.end] for s in found.spans] == ["page 3", "page 4", "as per the"]
    assert found.wording == "'section/page number', 'according to …'"


def test_nothing_weighs_nothing():
    assert weighed("") == (0.0, (), ())
    assert weighed("").wording == ""


def test_all_patterns_together():
    text = " ".join(lexicon(NAME).matches)
    assert weighed(text).score == pytest.approx(0.9)


@pytest.mark.parametrize(("score", "value"), [(-0.1, 0.0), (0.4, 0.4), (1.2, 1.0)])
def test_clamp(score, value):
    assert clamp(score) == value


def test_many_names_are_counted():
    assert quoted("abc") == "'a', 'b', 'c'"
    assert quoted("abcdef") == "'a', 'b', 'c', 'd' and 2 more"


def test_hits_of_several_kinds_stand_in_order():
    one, other = Span("response", 5, 9, "b"), Span("response", 0, 3, "a")
    assert by_place([one], [other]) == (other, one)
