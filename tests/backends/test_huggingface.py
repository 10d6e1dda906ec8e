"""Tiny models with random weights, made and saved here, stand for those of the hub."""

from importlib.util import find_spec

import numpy as np
import pytest

from assay.backends import Backends, choice
from assay.core import ModelError, ProfileError

pytestmark = [
    pytest.mark.skipif(
        find_spec("sentence_transformers") is None,
        reason="the extras 'torch' and 'huggingface' are not installed",
    ),
    pytest.mark.filterwarnings("ignore"),  # of other people's libraries
]
WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "query",
    ":",
    "oil",
    "prices",
    "rose",
    "fell",
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folder of an encoder called like E5, of a plain one, and of a classifier."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer
    from transformers import BertConfig, BertForSequenceClassification, BertModel, BertTokenizerFast

    root = tmp_path_factory.mktemp("models")
    torch.manual_seed(0)
    size = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(
        vocab_size=len(WORDS), intermediate_size=32, max_position_embeddings=34, **size
    )
    (root / "vocab.txt").write_text("\n".join(WORDS))
    tokenizer = BertTokenizerFast(vocab=str(root / "vocab.txt"), model_max_length=32)
    BertModel(config).save_pretrained(root / "plain")
    tokenizer.save_pretrained(root / "plain")
    transformer = Transformer(str(root / "plain"))
    model = SentenceTransformer(modules=[transformer, Pooling(16)], device="cpu")
    for name in ("tiny-e5-small", "other"):
        model.save(str(root / name), create_model_card=False)  # a card asks the hub
    config.id2label = {0: "fine", 1: "toxic", 2: "rude"}
    config.label2id = {label: number for number, label in config.id2label.items()}
    for name, problem in (
        ("single", "single_label_classification"),
        ("multi", "multi_label_classification"),
    ):
        config.problem_type = problem
        torch.manual_seed(1)
        BertForSequenceClassification(config).save_pretrained(root / name)
        tokenizer.save_pretrained(root / name)
    return root


def get(kind, folder, **settings):
    return Backends(**{kind: f"hf:{folder}"}, cache=False, **settings).get(kind)


def test_a_sentence_model_by_folder(folders):
    model = get("embedder", folders / "other")
    texts = ["oil prices rose", "oil", "prices fell " * 5, "", "oil prices rose"]
    vectors = model.embed(texts)
    assert model.dimensions == 16
    assert model.threshold is None
    assert vectors[0].dtype == np.float32
    assert float(vectors[0] @ vectors[0]) == pytest.approx(1.0, abs=1e-6)
    assert not vectors[3].any()
    choice._load.cache_clear()
    alone = [get("embedder", folders / "other").embed([text])[0] for text in texts]
    assert [v.tobytes() for v in alone] == [v.tobytes() for v in vectors]


def test_a_model_of_the_e5_family_gets_prefix_and_threshold(folders):
    e5, other = get("embedder", folders / "tiny-e5-small"), get("embedder", folders / "other")
    assert e5.threshold == 0.91
    (with_prefix,) = e5.embed(["oil rose"])
    (by_hand,) = other.embed(["query: oil rose"])
    assert with_prefix.tobytes() == by_hand.tobytes()


def test_a_text_beyond_the_model_is_read_in_windows(folders):
    model = get("embedder", folders / "other")
    start = "oil prices rose " * 10
    first, longer = model.embed([start, start + "fell fell prices " * 30])
    assert float(first @ longer) < 0.9999


def test_tokens_without_special_ones(folders):
    model = get("token_embedder", folders / "plain")
    (found,) = model.embed_tokens(["oil prices rose"])
    assert found.tokens == ("oil", "prices", "rose")
    assert found.vectors.shape == (3, 16)
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1.0, atol=1e-5)
    assert len(model.embed_tokens(["oil " * 500])[0].tokens) <= 32


def test_labels_are_those_of_the_files(folders):
    (one,) = get("classifier", folders / "single").classify(["oil fell"])
    assert list(one) == ["fine", "toxic", "rude"]
    assert sum(one.values()) == pytest.approx(1.0)
    (several,) = get("classifier", folders / "multi").classify(["oil fell"])
    assert all(0 < score < 1 for score in several.values())
    assert sum(several.values()) != pytest.approx(1.0, abs=1e-3)


def test_the_process_keeps_its_threads(folders):
    import torch

    before = torch.get_num_threads()
    get("embedder", folders / "other").embed(["oil rose fell"])
    assert torch.get_num_threads() == before


def test_identity_is_of_the_files_not_of_their_place(folders, tmp_path):
    import shutil

    shutil.copytree(folders / "other", tmp_path / "other")
    chosen = [
        Backends(embedder=f"hf:{folder}").identity("embedder")
        for folder in (folders / "other", tmp_path / "other", folders / "tiny-e5-small")
    ]
    assert chosen[0] == chosen[1] != chosen[2]
    assert chosen[0].startswith("hf:other@")


def test_nothing_is_downloaded_without_leave():
    with pytest.raises(ModelError, match=r"'hf:nobody/nothing'.*Backends\(downloads=True\)"):
        get("embedder", "nobody/nothing").embed(["text"])


def test_a_folder_without_a_model_is_said(tmp_path):
    for kind, ask in (("embedder", "embed"), ("classifier", "classify")):
        with pytest.raises(ModelError, match="check that the folder holds a whole model"):
            getattr(get(kind, tmp_path), ask)(["text"])


def test_pickled_weights_are_not_read(folders, tmp_path):
    import shutil

    import torch
    from safetensors.torch import load_file

    shutil.copytree(folders / "plain", tmp_path / "pickled")
    weights = tmp_path / "pickled" / "model.safetensors"
    torch.save(load_file(weights), tmp_path / "pickled" / "pytorch_model.bin")
    weights.unlink()
    with pytest.raises(ModelError, match="safetensors"):
        get("token_embedder", tmp_path / "pickled").embed_tokens(["text"])


def test_a_name_is_needed():
    with pytest.raises(ProfileError, match="'hf' names no model"):
        Backends(embedder="hf").identity("embedder")


def test_a_verifier_reads_the_place_of_entailment_from_the_files(folders, tmp_path):
    import json
    import shutil

    pairs = [("oil fell", "oil prices fell"), ("oil rose", "oil prices fell")]
    found = {}
    for place in (0, 2):
        folder = shutil.copytree(folders / "single", tmp_path / f"nli-{place}")
        config = json.loads((folder / "config.json").read_text())
        names = ["neutral", "neutral 2", "neutral 3"]
        names[place] = "ENTAILMENT"
        config["id2label"] = {str(number): name for number, name in enumerate(names)}
        config["label2id"] = {name: number for number, name in enumerate(names)}
        (folder / "config.json").write_text(json.dumps(config))
        found[place] = get("verifier", folder).support(pairs)
        assert all(0 < score < 1 for score in found[place])
    assert found[0] != found[2]


def test_a_verifier_without_a_label_for_entailment_is_refused(folders):
    with pytest.raises(ModelError, match="no one label for entailment among fine, toxic, rude"):
        get("verifier", folders / "single").support([("oil", "oil")])
