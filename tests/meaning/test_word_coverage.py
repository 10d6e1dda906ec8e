"""Words in other forms and of like meaning."""

from hypothesis import given
from hypothesis import strategies as st

from assay.meaning.word_coverage import pairs_share, share_of, spelling, synonyms, weighted_share

KEYS = st.lists(st.text("abcdeمسبح", min_size=1, max_size=9), max_size=8)


@given(KEYS, KEYS)
def test_shares_lie_between_none_and_all(keys, others):
    own = dict.fromkeys(keys)
    assert 0.0 <= share_of(own, frozenset(others)) <= 1.0
    weights = dict.fromkeys(keys, 2.0)
    assert 0.0 <= weighted_share(weights, frozenset(others)) <= 1.0


@given(KEYS)
def test_all_of_a_text_is_in_itself(keys):
    assert share_of(dict.fromkeys(keys), frozenset(keys)) == (1.0 if keys else 0.0)


def test_forms_of_a_word_are_alike_and_others_are_not():
    assert spelling("portuguese", ["portugal"]) > 0
    assert spelling("appointment", ["appointments"]) > 0
    assert spelling("march", ["north"]) == 0


def test_words_of_like_meaning_in_both_directions():
    known = synonyms()
    assert "start" in known["begin"]
    assert "begin" in known["start"]


def test_neighbours():
    assert pairs_share({("a", "b"), ("b", "c")}, [{("x", "a"), ("a", "b")}]) == 0.5
    assert pairs_share(set(), [{("a", "b")}]) == 0.0
