"""Contexts: words, named sources, similarities."""

import pytest

from assay.backends.fake import FakeModel
from assay.core import Document
from assay.features.contexts import (
    SourceMatch,
    context_spans,
    contexts_words,
    mean,
    plain_words,
    previous_similarities,
    source_matches,
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


@pytest.mark.parametrize(
    ("source", "document"),
    [
        ("A1", Document("x", id="a1")),
        ("docs/Guide.md", Document("x", source="docs/guide.md")),
        ("guide.md", Document("x", source="docs/guide.md")),
        ("guide", Document("x", source="C:\\docs\\guide.md")),
        ("green tea", Document("All about green  tea.")),
        ("Section 8(1)", Document("See section 8 (1) of the act.")),
        ("القانون", Document("ينص القَانون على ذلك")),
    ],
)
def test_a_named_source_is_found_without_a_model(source, document):
    model = Listener()
    assert source_matches([(source,)], [(document,)], model) == [(SourceMatch(0, 1.0, True),)]
    assert model.asked == []


@pytest.mark.parametrize(
    ("source", "document"),
    [
        ("guide", Document("the guides", source="other")),
        ("other/guide.md", Document("x", source="docs/guide.md")),
        ("!?", Document("What !?")),
        ("", Document("x", id="", source="")),
    ],
)
def test_another_name_is_not_the_source(source, document):
    ((match,),) = source_matches([(source,)], [(document,)], FakeModel())
    assert not match.is_named


def test_sources_that_no_context_names_are_compared_by_the_model():
    model = Listener()
    documents = (Document("red wine"), Document("tea green"), Document("x", id="b"))
    ((first, second),) = source_matches([("green tea", "b")], [documents], model)
    assert (first.context, first.is_named) == (1, False)
    assert first.similarity == pytest.approx(1.0)
    assert second == (2, 1.0, True)
    assert model.asked == ["green tea", "red wine", "tea green", "x"]


def test_only_the_first_five_contexts_are_looked_at():
    documents = tuple(Document("", id=str(place)) for place in range(7))
    ((fifth, sixth),) = source_matches([("4", "5")], [documents], FakeModel())
    assert fifth == (4, 1.0, True)
    assert not sixth.is_named
    assert sixth.similarity == 0.0


def test_samples_without_contexts_or_sources_ask_nothing():
    model = Listener()
    assert source_matches([("a",), ()], [(), (Document("x"),)], model) == [
        (SourceMatch(None, 0.0, False),),
        (),
    ]
    assert model.asked == []


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


def test_at_most_ten_contexts_are_shown():
    documents = tuple(Document("tea") for _ in range(50))
    assert len(context_spans(documents, ((place, "") for place in range(50)))) == 10


def test_the_mean_of_nothing_is_nothing():
    assert mean([]) is None
    assert mean([0.2, 0.4]) == pytest.approx(0.3)
