"""Contexts: words, named sources, similarities."""

import pytest

from assay.backends.fake import FakeModel
from assay.core import Document
from assay.features.contexts import (
    context_spans,
    contexts_words,
    mean,
    plain_words,
    previous_similarities,
)
from assay.features.normal import normal


class Listener(FakeModel):
    """A fake that remembers what it was asked."""

    def __init__(self):
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        return super().embed(texts)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Real-time, “quoted”!", ["real", "time", "quoted"]),
        ("snake_case stays", ["snake_case", "stays"]),
        ("a*b/c=d", ["a", "b", "c", "d"]),
        ("किताब", ["किताब"]),
        ("القَاهِرة؟", ["القاهرة"]),
        ("北京是首都。", ["北京是首都"]),
        ("", []),
        ("\ud800 x", ["x"]),
    ],
)
def test_words_are_parted_by_all_punctuation(text, words):
    assert [word.text for word in plain_words.feature(normal.feature(text))] == words


def test_words_know_their_place():
    text = normal.feature("Ｔea – ok")
    words = plain_words.feature(text)
    assert [text.original[slice(*text.span(w.start, w.end))] for w in words] == ["Ｔea", "ok"]


def test_the_words_of_contexts_are_taken_together():
    assert contexts_words((Document("Green tea."), Document("tea-pot"))) == {"green", "tea", "pot"}
    assert contexts_words(()) == frozenset()


def test_earlier_responses_are_compared_in_one_question():
    model = Listener()
    rows = previous_similarities(
        ["tea", "alone", "wine"], [("tea", ""), (), (*"abcdef", "wine")], model
    )
    assert rows[0] == pytest.approx((1.0, 0.0))
    assert rows[1] == ()
    assert len(rows[2]) == 5
    assert rows[2][-1] == pytest.approx(1.0)
    assert model.asked == ["tea", "tea", "", "wine", "c", "d", "e", "f", "wine"]


def test_contexts_without_text_are_not_shown():
    documents = (Document(""), Document("tea"))
    spans = context_spans(documents, ((place, "off") for place in (0, 1)))
    assert spans == (("contexts[1]", 0, 3, "off"),)


def test_the_mean_of_nothing_is_nothing():
    assert mean([]) is None
    assert mean([0.2, 0.4]) == pytest.approx(0.3)
