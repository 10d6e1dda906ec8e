"""The BERTScore of unrelated sentences, which `data/bertscore_baselines.toml` holds by model."""

import argparse
import gzip
import json
import random
from pathlib import Path
from statistics import fmean

from assay.backends import Backends
from assay.features.bertscore import greedy_match

SETS = ("stsb_captions", "fever_symmetric", "wice_citation", "begin", "truthfulqa_judged")
SENTENCES, PAIRS = 2_000, 10_000


def main() -> None:
    """Print the mean precision, recall and F1 of random pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of labelled records")
    parser.add_argument("--model", default="minilm", help="the token model")
    chosen = parser.parse_args()
    draw = random.Random(0)
    texts = sorted({text for name in SETS for text in sentences(chosen.data / name)})
    draw.shuffle(texts)
    model = Backends(token_embedder=chosen.model).get("token_embedder")
    vectors = [found.vectors for found in model.embed_tokens(texts[:SENTENCES])]
    found = [greedy_match(*draw.sample(vectors, 2)) for _ in range(PAIRS)]
    for name in ("precision", "recall", "f1"):
        print(f"{model.name}  {name} = {fmean(getattr(one, name) for one in found):.3f}")


def sentences(path: Path) -> list[str]:
    """The responses and references of a set that are 5 to 40 words long."""
    with gzip.open(f"{path}.dev.jsonl.gz", "rt", encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    texts = [record.get(field) for record in records for field in ("response", "reference")]
    return [text for text in texts if isinstance(text, str) and 5 <= len(text.split()) <= 40]


if __name__ == "__main__":
    main()
