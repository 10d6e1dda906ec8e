"""The whole governance family, with and without a model behind it."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from statistics import median

from assay.backends import Backends
from assay.core import Document, Sample
from assay.engine import Plan, score_batch
from assay.runner import Job
from benchmarks.compare import BATCH
from benchmarks.generate import chat_records, passage_records, samples
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, medians

FAMILY, RULES = ("governance",), ("governance&@rules",)
OVERALL = "governance.overall_score"
WARM_UP = 5
CONTEXTS = 4
"""Documents of every record."""
SHARING = 2
"""How many times as fast the rules must be together as one by one."""
PASSAGES = (55, 240)
"""Words of the one context of short records, as in BEGIN and in WiCE."""
SHORT_GOALS = {"rules": 2500, "claims checked by words": 1000}
"""Short records a second."""


def governance(sizes: Sizes) -> Section:
    """Records a second of the family, and what embeddings and sharing do to them."""
    found = list(governance_samples(sizes.family))
    some = found[: max(1, len(found) // 5)]
    none = Backends(embedder="", token_embedder="")
    without, rules = (Job(chosen, backends=none).plan() for chosen in (FAMILY, RULES))
    alone = [Job((step.metric.id,)).plan() for step in rules.shown if not step.metric.is_composite]
    taken = medians(
        {
            "rules": lambda: _engine(rules, some),
            "one by one": lambda: [_engine(plan, some) for plan in alone],
        },
        sizes.rounds,
    )
    short = [
        row
        for passage in PASSAGES
        for row in _short_rows({"rules": rules, "claims checked by words": without}, passage, sizes)
    ]
    seconds, scored = _seconds(without, found)
    slow, _ = _seconds(Job(FAMILY, backends=Backends(cache=False)).plan(), found)
    return Section(
        "Governance family",
        f"All {len(without.shown)} scores of the family (metrics, dimensions, overall) for "
        f"{len(found)} records of {CONTEXTS} documents each, with explanations and places, in one "
        "pass. With embeddings means the default embedder and nothing in its cache; without them, "
        "claims are checked by words, numbers and names alone. Rules are the metrics that check no "
        "claims; one by one means that each of these is planned and run on its own. Short records "
        "have an answer of a sentence or two on one context; each is scored once, the median of "
        f"{sizes.rounds} rounds.",
        [
            Row("With embeddings", f"{len(found) / slow:,.0f} records/s"),
            Row("Without embeddings", f"{len(found) / seconds:,.0f} records/s"),
            Row("Without against with embeddings", f"{slow / seconds:.3g} times as fast"),
            Row("Rules", f"{len(some) / taken['rules']:,.0f} records/s"),
            at_least("Rules together", taken["one by one"] / taken["rules"], SHARING, "times"),
            all_of("Records with an overall score", scored, len(found), "records"),
            *short,
        ],
    )


def _short_rows(plans: Mapping[str, Plan], passage: int, sizes: Sizes) -> Iterator[Row]:
    """Records a second on short answers that were not seen before, by plan."""
    seconds: dict[str, list[float]] = {name: [] for name in plans}
    for place in range(sizes.rounds):
        for offset, (name, plan) in enumerate(plans.items()):
            seed = 100 + len(plans) * place + offset
            found = samples(passage_records(sizes.family, seed, passage=passage))
            seconds[name].append(_seconds(plan, found)[0])
    for name, taken in seconds.items():
        what = f"Short records on {passage} words of context: {name}"
        rate = sizes.family / median(taken)
        yield Row(
            what,
            f"{rate:,.0f} records/s",
            f"at least {SHORT_GOALS[name]:,} records/s",
            rate >= SHORT_GOALS[name],
        )


def governance_samples(count: int, seed: int = 7) -> Iterator[Sample]:
    """The records of the chat family with four named documents each and what a call tells."""
    random = Random(seed)
    for sample in samples(chat_records(count, seed)):
        listed = (sample.contexts * CONTEXTS)[:CONTEXTS]
        named = [
            Document(document.content, f"doc-{place}", document.source, place, 0.9)
            for place, document in enumerate(listed, 1)
        ]
        metadata = {
            "model": random.choice(("gpt-4o", "gpt-3.5-turbo", "claude-3-opus", "house-model")),
            "prompt_tokens": random.randint(50, 900),
            "completion_tokens": random.randint(10, 400),
            "session_id": f"s-{random.randrange(100)}",
            "timestamp": "2026-02-04T09:30:00",
            "user_id": "u-1",
        }
        yield replace(sample, contexts=tuple(named), metadata=metadata)


def _seconds(plan: Plan, found: Sequence[Sample]) -> tuple[float, int]:
    """CPU seconds of one pass after a few records to warm up, and how many have a score."""
    score_batch(plan, found[:WARM_UP])
    gc.collect()
    began = time.process_time()
    scored = _engine(plan, found)
    return time.process_time() - began, scored


def _engine(plan: Plan, found: Sequence[Sample]) -> int:
    """Score everything; how many records have an overall score."""
    return sum(
        OVERALL in scores.results and scores[OVERALL].state == "ok"
        for start in range(0, len(found), BATCH)
        for scores in score_batch(plan, found[start : start + BATCH])
    )
