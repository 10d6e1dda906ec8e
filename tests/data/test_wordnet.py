"""Words from WordNet: pairs in both tables' directions are once, and irregular forms have bases."""

import pytest

from assay.data.wordnet import irregular_forms, word_pairs


@pytest.mark.parametrize("relation", ["synonyms", "antonyms", "derived"])
def test_pairs_are_of_two_words_in_order_and_stand_once(relation):
    pairs = word_pairs(relation)
    assert len(pairs) > 1000
    assert len(set(pairs)) == len(pairs)
    assert all(one < other for one, other in pairs)


def test_what_the_tables_say():
    assert ("buy", "purchase") in word_pairs("synonyms")
    assert ("impossible", "possible") in word_pairs("antonyms")
    assert ("fail", "failure") in word_pairs("derived")
    assert irregular_forms()["bought"] == "buy"


def test_no_word_is_both_a_synonym_and_an_antonym_of_another():
    both = set(word_pairs("synonyms")) & set(word_pairs("antonyms"))
    assert len(both) <= 5, both
