import pytest

from assay.backends.cache import CachedClassifier, CachedEmbedder, CachedTokenEmbedder, Memory
from assay.backends.fake import DIMENSIONS, FakeModel
from assay.core import ModelError


class Counting(FakeModel):
    """A fake that notes what it was asked."""

    def __init__(self, name="counting"):
        self.name = name
        self.asked = []

    def embed(self, texts):
        self.asked += texts
        return super().embed(texts)

    def embed_tokens(self, texts):
        self.asked += texts
        return super().embed_tokens(texts)

    def classify(self, texts):
        self.asked += texts
        return super().classify(texts)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_each_distinct_text_is_asked_once_and_answers_keep_their_order(folder):
    model = Counting()
    cached = CachedEmbedder(model)
    texts = ["b b b", "a", "b b b", "", "a", "نص"]
    first = cached.embed(texts)
    second = cached.embed(texts[::-1])[::-1]
    assert sorted(model.asked) == sorted(["a", "b b b", "نص"])
    for text, one, other in zip(texts, first, second, strict=True):
        assert one.tobytes() == other.tobytes() == FakeModel().embed([text])[0].tobytes()


def test_texts_are_asked_in_order_of_length(folder):
    model = Counting()
    CachedEmbedder(model).embed(["ccc", "a", "bb"])
    assert model.asked == ["a", "bb", "ccc"]


def test_a_blank_text_is_zero_without_asking(folder):
    model = Counting()
    (vector,) = CachedEmbedder(model).embed([" \n"])
    assert vector.shape == (DIMENSIONS,)
    assert not vector.any()
    assert model.asked == []


def test_the_next_run_reads_from_disk_bit_for_bit(folder):
    texts = ["one", "two", "ثلاثة", "lone \ud800 surrogate"]
    first = CachedEmbedder(Counting()).embed(texts)
    later = Counting()
    second = CachedEmbedder(later).embed(texts)
    assert later.asked == []
    assert [v.tobytes() for v in first] == [v.tobytes() for v in second]
    assert not second[0].flags.writeable


def test_another_model_does_not_read_them(folder):
    CachedEmbedder(Counting("one")).embed(["text"])
    other = Counting("another")
    CachedEmbedder(other).embed(["text"])
    assert other.asked == ["text"]


@pytest.mark.parametrize("off", ["off", "0", "No", "false"])
def test_the_cache_can_be_switched_off(folder, monkeypatch, off):
    monkeypatch.setenv("ASSAY_CACHE", off)
    CachedEmbedder(Counting()).embed(["text"])
    assert list(folder.iterdir()) == []


def test_a_model_that_is_not_kept_writes_nothing(folder):
    CachedEmbedder(Counting(), is_kept=False).embed(["text"])
    assert list(folder.iterdir()) == []


def test_an_error_is_neither_kept_nor_remembered(folder):
    class Failing(Counting):
        def embed(self, texts):
            super().embed(texts)
            return [
                ModelError("no") if text == "bad" else FakeModel().embed([text])[0]
                for text in texts
            ]

    model = Failing()
    cached = CachedEmbedder(model)
    for _ in range(2):
        good, bad = cached.embed(["good", "bad"])
        assert good.any()
        assert isinstance(bad, ModelError)
    assert model.asked == ["bad", "good", "bad"]


def test_memory_is_bounded_and_lets_the_oldest_go():
    memory = Memory(limit=30)
    for key in (b"a", b"b", b"c"):
        memory.put(key, key.decode(), 10)
    assert memory.get(b"a") == "a"
    memory.put(b"d", "d", 10)
    assert memory.get(b"b") is None
    assert [memory.get(key) for key in (b"a", b"c", b"d")] == ["a", "c", "d"]
    memory.put(b"e", "too large", 31)
    assert memory.get(b"e") is None


def test_tokens_and_labels_are_asked_for_once():
    model = Counting()
    tokens = CachedTokenEmbedder(model)
    assert tokens.embed_tokens(["a b", "a b"])[1].tokens == ["a", "b"]
    tokens.embed_tokens(["a b"])
    assert model.asked == ["a b"]
    model.asked.clear()
    classifier = CachedClassifier(model)
    assert classifier.classify(["I hate it", "fine", "fine"])[0] == {"toxic": 1.0}
    classifier.classify(["fine"])
    assert model.asked == ["I hate it", "fine"]
