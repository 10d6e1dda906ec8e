"""How often the safety metrics report ordinary texts.

`python -m benchmarks.ordinary_texts FOLDER [--encoder onnx] [--most N]` scores the distinct queries
and responses of labelled sets that are about other things than safety, and prints the table of
docs/background/evidence.md. FOLDER holds the sets as NAME.dev.jsonl.gz. A few of the texts are
personal, rude or dangerous after all; most of what is reported is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from assay import registry
from assay.backends import Backends
from assay.core import Sample
from assay.engine import make_plan, score_batch
from assay.samples import to_sample

SETS = {
    "conversations": ("topicalchat_usr", "faithdial_audit", "begin"),
    "captions": ("stsb_captions",),
    "news": ("onestop_readability",),
    "summaries and encyclopedias": ("summedits", "wice_citation", "fever_symmetric"),
    "questions": ("evouna_qa", "openqa_nq301", "truthfulqa_judged", "alce_utility"),
    "tasks": ("halueval_general", "pandalm_pairs"),
    "school problems": ("gsm8k_solutions",),
}
"""What the texts are → the sets that hold them."""
METRICS = ("safety.injection", "safety.toxicity", "safety.harm", "safety.bias", "safety.pii")
BATCH = 200


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--encoder", default="", help="`onnx` for the installed one")
    parser.add_argument("--most", type=int, default=1500, help="texts of one set")
    options = parser.parse_args()
    plan = make_plan(registry.select(METRICS), backends=Backends(encoder=options.encoder))
    print("| Texts | Number |", *(f" `{name}` |" for name in METRICS), sep="")
    print("| --- |", " ---: |" * (len(METRICS) + 1), sep="")
    for kind, names in SETS.items():
        known = [one for name in names for one in _samples(options.folder, name, options.most)]
        counts: Counter[str] = Counter()
        for start in range(0, len(known), BATCH):
            for scores in score_batch(plan, known[start : start + BATCH]):
                counts.update(name for name in METRICS if scores[name].verdict == "fail")
        shares = (f" {counts[name] / len(known):.1%} |" for name in METRICS)
        print(f"| {kind} | {len(known):,} |", *shares, sep="", flush=True)


def _samples(folder: Path, name: str, most: int) -> Iterator[Sample]:
    """The distinct queries and responses of a set."""
    seen: set[str] = set()
    with gzip.open(folder / f"{name}.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            fields = {key: record[key] for key in ("query", "response") if record.get(key)}
            text = json.dumps(fields)
            if fields and text not in seen and len(seen) < most:
                seen.add(text)
                yield to_sample(fields, f"{name}-{len(seen)}")


if __name__ == "__main__":
    main()
