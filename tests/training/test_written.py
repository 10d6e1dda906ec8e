"""The examples that we wrote: well formed, each text with one label."""

from collections import Counter

from training.encoder.examples import WRITTEN_WEIGHT
from training.encoder.written import written

CASES = [one for head in WRITTEN_WEIGHT for one in written(head)]


def test_every_head_has_cases_of_each_label():
    labels = {head: {one.label for one in written(head)} for head in WRITTEN_WEIGHT}
    assert labels.pop("support") == {"entail", "neutral", "contradict"}
    assert all(found == {0, 1} for found in labels.values())


def test_no_case_has_two_labels():
    labels = {one._replace(group="") for one in CASES}
    cases = Counter(one._replace(label=0) for one in labels)
    assert [one for one, count in cases.items() if count > 1] == []


def test_all_texts_have_words_and_all_pairs_two_texts():
    assert all(one.text.strip() for one in CASES)
    pairs = [one for one in CASES if one.head in ("support", "correctness", "relevance")]
    assert all(one.context.strip() or one.query.strip() for one in pairs)
