import pickle

import pytest

from assay.backends import Backends, choice
from assay.backends.presets import preset, presets
from assay.core import ProfileError, UsageError
from assay.settings import Settings


def test_the_choice_is_plain_data():
    chosen = Backends(embedder="minilm", threads=2)
    assert pickle.loads(pickle.dumps(chosen)) == chosen  # noqa: S301 -- our own


@pytest.mark.parametrize(
    ("chosen", "kind", "identity"),
    [
        (Backends(), "embedder", "use-multilingual-v3@0.2.1"),
        (Backends(), "token_embedder", "all-minilm-l6-v2-int8@1.0.0"),
        (Backends(), "classifier", "none"),
        (Backends(embedder="fake"), "embedder", "fake"),
    ],
)
def test_identity_names_model_and_version(chosen, kind, identity):
    assert chosen.identity(kind) == identity


@pytest.mark.parametrize("words", ["none", "", "auto"])
def test_an_encoder_that_is_not_chosen_or_not_there_is_none(words):
    """The same words mean the same in settings and in code."""
    chosen = Backends(encoder=words)
    assert chosen.identity("encoder") == "none"
    assert not choice.is_configured(chosen.get("encoder"))
    assert Settings.load(overrides={"encoder": words}).backends().identity("encoder") == "none"


@pytest.mark.parametrize("kind", ["embedder", "classifier", "judge", "verifier"])
def test_none_is_a_word_for_no_model_of_any_kind(kind):
    assert Backends(**{kind: "none"}).identity(kind) == "none"


def test_a_folder_is_an_encoder_in_it():
    assert choice.encoder_spec("models/own") == "onnx:models/own"
    assert choice.encoder_spec("onnx:models/own") == "onnx:models/own"
    assert choice.encoder_spec("onnx") == "onnx"


def test_nothing_is_loaded_before_it_is_asked(monkeypatch):
    monkeypatch.setattr(choice, "_load", lambda *words: pytest.fail("loaded"))
    backend = Backends().get("embedder")
    assert choice.is_configured(backend)
    assert not choice.is_configured(Backends(embedder="").get("embedder"))


def test_the_same_words_give_the_same_model():
    assert choice._load("embedder", "fake", choice.ModelSettings()) is choice._load(
        "embedder", "fake", choice.ModelSettings()
    )


def test_what_cannot_be_chosen_is_said():
    with pytest.raises(ProfileError, match="unknown embedder 'usee'; expected one of fake, hf"):
        Backends(embedder="usee").identity("embedder")
    with pytest.raises(UsageError, match="no classifier is configured"):
        Backends().get("classifier").classify(["text"])


@pytest.mark.parametrize(
    ("model", "prefix", "threshold"),
    [
        ("intfloat/multilingual-e5-base", "query: ", 0.91),
        ("/models/multilingual-e5-small/", "query: ", 0.91),
        ("Omartificial-Intelligence-Space/mmbert-base-arabic-nli", "", None),
        ("sentence-transformers/all-MiniLM-L6-v2", "", None),
    ],
)
def test_what_is_known_of_a_model(model, prefix, threshold):
    found = preset(model)
    assert (found.prefix, found.threshold) == (prefix, threshold)


def test_presets_match_their_own_names():
    assert all(preset(known.name) == known for known in presets())
