"""The trained encoder: how soon it is loaded, how much memory it takes, how much it reads."""

from __future__ import annotations

import statistics
import sys
from functools import partial
from itertools import islice

from assay.backends import Backends
from assay.backends.encoder_files import is_installed
from assay.core import Document, Sample
from assay.engine import make_plan, score_batch
from assay.registry import select
from benchmarks.generate import texts
from benchmarks.measure import Row, Section, Sizes, at_least, at_most, child, medians

TITLE = "Trained encoder"
RECORDS = 20
CLAIM_WORDS, CLAIMS = 60, 5
CONTEXT_WORDS, CONTEXTS = 250, 4
TEXT_WORDS = 100
LOADED = """
import time
import assay
from assay.backends.encoder import EncoderInput, OnnxEncoder
from assay.backends.encoder_files import manifest_of
start = time.process_time()
encoder = OnnxEncoder(manifest_of(""))
for head in ("support", "toxicity"):
    encoder.run([EncoderInput("It opens at nine.", "", encoder.readings[head])])
print(time.process_time() - start)
"""
"""A process that loads both graphs, their packages included, and reads a sentence with each."""


def encoder(sizes: Sizes) -> Section:
    """Seconds to load, memory, and records a second with and without it."""
    note = (
        "CPU time of one process and thread. Loading includes the import of onnxruntime and "
        "tokenizers and a first sentence by both graphs. A record of `rag.faithfulness` has "
        f"{CLAIMS} claims of {CLAIM_WORDS} words and {CONTEXTS} contexts of {CONTEXT_WORDS}; "
        f"single texts have {TEXT_WORDS} words, of about 1.4 tokens each. Nothing is read from a "
        "cache."
    )
    if not is_installed():
        return Section(TITLE, note, [Row("Encoder", "not installed")])
    command = (sys.executable, "-c", LOADED)
    loaded = [child(*command, has_output=True) for _ in range(sizes.starts)]
    seconds = statistics.median(float(str(one.output)) for one in loaded)
    rates = _rates(min(RECORDS, sizes.texts), sizes.rounds)
    return Section(
        TITLE,
        note,
        [
            at_most("Load, CPU time", seconds, 0.5, "s"),
            at_most("Resident, the whole process", max(c.peak_mib for c in loaded), 250, "MiB"),
            Row("`rag.faithfulness`, rules alone", f"{rates['rules']:.3g} records/s"),
            at_least("`rag.faithfulness` with it", rates["faithfulness"], 25, "records/s"),
            at_least("`safety.toxicity` with it", rates["toxicity"], 80, "texts/s"),
        ],
    )


def _rates(count: int, rounds: int) -> dict[str, float]:
    """Records a second, by what is measured."""
    asked = {
        "rules": ("rag.faithfulness", "none", _records),
        "faithfulness": ("rag.faithfulness", "auto", _records),
        "toxicity": ("safety.toxicity", "auto", _single),
    }
    tasks = {
        name: partial(_score, metric, chosen, [make(count, seed) for seed in range(rounds + 1)])
        for name, (metric, chosen, make) in asked.items()
    }
    taken = medians(tasks, rounds)
    return {name: count / seconds for name, seconds in taken.items()}


def _score(metric: str, chosen: str, batches: list[list[Sample]]) -> object:
    """Score the next batch; each has new texts, for an encoder remembers what it has read."""
    backends = Backends(embedder="none", encoder=chosen, cache=False)
    return score_batch(make_plan(select([metric]), backends=backends), batches.pop())


def _records(count: int, seed: int) -> list[Sample]:
    """Answers of several long claims beside several contexts."""
    words = iter(" ".join(texts(count * 12, seed)).split())

    def text(size: int) -> str:
        return " ".join(islice(words, size)).replace(".", "") + "."

    return [
        Sample(
            str(place),
            query="What do they say?",
            response=" ".join(text(CLAIM_WORDS) for _ in range(CLAIMS)),
            contexts=tuple(Document(text(CONTEXT_WORDS)) for _ in range(CONTEXTS)),
        )
        for place in range(count)
    ]


def _single(count: int, seed: int) -> list[Sample]:
    """Single texts."""
    given = texts(count, seed, TEXT_WORDS)
    return [Sample(str(n), response=" ".join(t.split()[:TEXT_WORDS])) for n, t in enumerate(given)]
