import json
import subprocess
import sys

import pytest
from tests.encoder.conftest import TEXTS, write_encoder

from assay.backends import Backends
from assay.backends.encoder import (
    CachedEncoder,
    EncoderInput,
    OnnxEncoder,
    cut_pair,
    cut_text,
    identify,
    make_encoder,
)
from assay.backends.encoder_files import manifest_of
from assay.backends.model_settings import ModelSettings
from assay.core import ModelError
from assay.settings import Settings

WORDS = [
    "The",
    "museum",
    "in",
    "the",
    "old",
    "town",
    "opens",
    "at",
    "nine",
    "and",
    "closes",
    "late",
    "on",
    "Fridays",
]
SENTENCES = [" ".join(WORDS[: n % 13 + 1]) * (n % 4 + 1) for n in range(24)]


@pytest.fixture(scope="module")
def model(encoder_folder):
    return OnnxEncoder(manifest_of(str(encoder_folder)))


def test_an_answer_does_not_depend_on_what_is_asked_with_it(model):
    inputs = [EncoderInput(text, "", model.readings["harm"]) for text in SENTENCES]
    alone = [model.run([one])[0].tobytes() for one in inputs]
    assert [vector.tobytes() for vector in model.run(inputs)] == alone
    assert [vector.tobytes() for vector in model.run(inputs[::-1])][::-1] == alone


def test_one_reading_answers_all_heads_of_its_template(encoder_folder, monkeypatch):
    encoder = CachedEncoder(OnnxEncoder(manifest_of(str(encoder_folder))), is_kept=False)
    runs = []
    run = OnnxEncoder.run

    def counted(self, inputs):
        runs.extend(inputs)
        return run(self, inputs)

    monkeypatch.setattr(OnnxEncoder, "run", counted)
    answers = {head: encoder.ask(head, [("A fine day.", None)])[0] for head in TEXTS}
    assert len(runs) == 1
    assert len(set(answers.values())) == len(TEXTS)
    encoder.ask("refusal", [("A fine day.", "How is it?")])
    encoder.ask("relevance", [("A fine day.", "How is it?"), ("A fine day.", None)])
    assert len(runs) == 3  # a pair without its second text is read as a text
    encoder.ask("support", [("A fine day.", "How is it?")])
    assert len(runs) == 4  # longer pairs are another reading


def test_answers_are_kept_on_disk(encoder_folder, monkeypatch, tmp_path):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    settings = ModelSettings()
    first = make_encoder(str(encoder_folder), settings).ask("harm", [("Kept text.", None)])
    monkeypatch.setattr(OnnxEncoder, "run", lambda self, inputs: pytest.fail("asked again"))
    assert make_encoder(str(encoder_folder), settings).ask("harm", [("Kept text.", None)]) == first


def test_support_has_three_logits_and_the_order_of_a_pair_matters(encoder_folder):
    encoder = CachedEncoder(OnnxEncoder(manifest_of(str(encoder_folder))), is_kept=False)
    one, other = encoder.ask(
        "support", [("Tea is hot.", "Ice is cold."), ("Ice is cold.", "Tea is hot.")]
    )
    assert len(one) == len(other) == 3
    assert one != other


def test_what_it_cannot_read_is_said_text_by_text(encoder_folder):
    encoder = CachedEncoder(OnnxEncoder(manifest_of(str(encoder_folder))), is_kept=False)
    good, arabic, blank = encoder.ask(
        "toxicity", [("Good.", None), ("صباح الخير", None), (" ", None)]
    )
    assert isinstance(good, tuple)
    assert "Arabic script" in str(arabic)
    assert isinstance(blank, ModelError)
    assert isinstance(encoder.ask("toxicity", [("\ud800 lone", None)])[0], tuple)


def test_long_texts_keep_their_ends_and_long_pairs_their_starts():
    assert cut_text(range(300), 190) == [*range(128), *range(238, 300)]
    assert cut_text(range(5), 190) == [0, 1, 2, 3, 4]
    assert cut_pair(range(10), range(400), 317) == ([*range(10)], [*range(307)])
    assert cut_pair(range(400), range(10), 317) == ([*range(307)], [*range(10)])
    first, second = cut_pair(range(400), range(400), 317)
    assert (len(first), len(second)) == (128, 189)


def test_a_changed_file_is_refused(tmp_path):
    folder = write_encoder(tmp_path / "changed")
    with (folder / "encoder.onnx").open("ab") as file:
        file.write(b"\0")
    encoder = OnnxEncoder(manifest_of(str(folder)))
    with pytest.raises(ModelError, match=r"encoder\.onnx' has SHA-256 .* expected"):
        encoder.run([EncoderInput("Text.", "", encoder.readings["harm"])])
    (folder / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelError, match=r"tokenizer\.json' has SHA-256 .* expected"):
        OnnxEncoder(manifest_of(str(folder)))


def test_data_that_a_graph_reads_is_checked_with_it(tmp_path):
    folder = write_encoder(tmp_path / "data")
    table = json.loads((folder / "manifest.json").read_text())
    table["sha256"]["words.bin"] = "0" * 64
    (folder / "manifest.json").write_text(json.dumps(table))
    (folder / "words.bin").write_bytes(b"other")
    encoder = OnnxEncoder(manifest_of(str(folder)))
    with pytest.raises(ModelError, match=r"words\.bin' has SHA-256"):
        encoder.run([EncoderInput("Text.", "", encoder.readings["harm"])])


@pytest.mark.parametrize(
    ("manifest", "reason"),
    [
        (None, "cannot be read"),
        ("[]", "no manifest"),
        ('{"model": "x"}', "KeyError 'version'"),
        ('{"model": "x", "version": 1, "sha256": {}, "heads": {}}', "no hash of 'tokenizer.json'"),
        (
            '{"model": "x", "version": 1, "heads": {},'
            ' "sha256": {"tokenizer.json": "0", "../a": "0"}}',
            "is no plain file name",
        ),
    ],
)
def test_a_folder_that_holds_no_encoder_says_so(tmp_path, manifest, reason):
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest)
    with pytest.raises(ModelError, match=reason):
        identify(str(tmp_path))


def test_a_head_that_the_graph_lacks_is_named(tmp_path):
    folder = write_encoder(tmp_path / "headless")
    table = json.loads((folder / "manifest.json").read_text())
    table["heads"]["irony"] = table["heads"]["harm"]
    (folder / "manifest.json").write_text(json.dumps(table))
    encoder = OnnxEncoder(manifest_of(str(folder)))
    with pytest.raises(ModelError, match="no output for 'irony'"):
        encoder.run([EncoderInput("Text.", "", encoder.readings["irony"])])


def test_a_head_of_another_size_than_stated_is_refused(tmp_path):
    folder = write_encoder(tmp_path / "sized")
    table = json.loads((folder / "manifest.json").read_text())
    table["heads"]["support"]["outputs"] = ["entailed", "open"]
    (folder / "manifest.json").write_text(json.dumps(table))
    encoder = OnnxEncoder(manifest_of(str(folder)))
    with pytest.raises(ModelError, match="'support' has 3 values; its manifest names 2"):
        encoder.run([EncoderInput("Text.", "Other.", encoder.readings["support"])])


def test_the_signature_names_the_encoder_without_loading_it(encoder_folder):
    name = Backends(encoder=f"onnx:{encoder_folder}").identity("encoder")
    assert name.startswith("assay-encoder@0+")
    assert Backends().identity("encoder") == "none"


def test_the_setting_chooses_the_encoder(encoder_folder, tmp_path, monkeypatch):
    def chosen(**overrides):
        return Settings.load(tmp_path, {}, overrides).backends().encoder

    assert chosen(encoder="none") == ""
    assert chosen(encoder=str(encoder_folder)) == f"onnx:{encoder_folder}"
    assert chosen() == ""
    monkeypatch.setattr("assay.backends.choice.is_installed", lambda: True)
    assert chosen() == "onnx"
    (tmp_path / "assay.toml").write_text('encoder = "models/own"\n')
    assert chosen() == f"onnx:{tmp_path / 'models/own'}"
    (tmp_path / "assay.toml").write_text('encoder = "none"\n')
    assert chosen() == ""


def test_nothing_is_loaded_where_no_encoder_is_chosen():
    code = (
        "import sys, assay\n"
        "assay.score(query='Hi?', response='Hello.', metrics=['safety', 'answer'],"
        " encoder='none', embedder='none', settings=None)\n"
        "print([m for m in ('onnxruntime', 'tokenizers', 'assay_models') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
