import pytest

from assay.backends import Backends
from assay.backends.fake import FakeModel
from assay.features.normal import normal
from assay.features.translations import english_embedding, translations_english_embeddings


class Dictionary:
    """Translates one word, and remembers what it was asked."""

    name = "dictionary"

    def __init__(self):
        self.asked = []

    def translate(self, texts, source, target):
        self.asked.append((list(texts), source, target))
        return ["tea" if text == "شاي" else text for text in texts]


@pytest.fixture
def tea():
    (vector,) = FakeModel().embed(["tea"])
    return vector


def test_texts_are_translated_into_english_first(tea):
    translator = Dictionary()
    listed = [{"en": "tea", "ar": "شَاي"}, {}, {"ar": "شاي"}]
    found = translations_english_embeddings(listed, FakeModel(), translator)
    assert [sorted(vectors) for vectors in found] == [["ar", "en"], [], ["ar"]]
    assert all((vector == tea).all() for vectors in found for vector in vectors.values())
    assert translator.asked == [(["شاي", "شاي"], "ar", "en")]


def test_english_and_wordless_texts_are_not_translated(tea):
    translator = Dictionary()
    texts = [normal.feature(text) for text in ("tea", "شاي", "5")]
    found = english_embedding.feature(texts, ["en", "ar", "und"], FakeModel(), translator)
    assert (found[0] == tea).all()
    assert (found[1] == tea).all()
    assert translator.asked == [(["شاي"], "ar", "en")]


def test_without_a_translator_texts_are_compared_as_they_are():
    none = Backends(embedder="fake").get("translator")
    (found,) = translations_english_embeddings([{"ar": "شاي"}], FakeModel(), none)
    assert (found["ar"] == FakeModel().embed(["شاي"])[0]).all()
