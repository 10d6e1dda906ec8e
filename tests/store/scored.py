"""Scored samples for the tests of the store."""

from assay import registry
from assay.core import Document, Sample, SampleError
from assay.engine import make_plan, score_batch
from assay.store.run_writer import RunPlan, start_run

PLAN = make_plan(registry.select(["text.safety", "text.coherence", "chat.response_quality"]))
RUN_PLAN = RunPlan(
    {step.metric.id: (step.signature, step.threshold) for step in PLAN.shown}, {"seed": 0}
)
HOUR = 3600.0
NOON = 1_800_000 * HOUR
"""A full hour."""


def make_samples(count, **fields):
    return [
        Sample(
            id=f"sample-{number}",
            query="How do I reset my password?",
            response="bob@example.com, 123-45-6789."
            if number % 3 == 0
            else "Use the link, please.",
            contexts=(Document("Use the link.", source="help.pdf"),),
            duration=float(number),
            tags=("even",) if number % 2 == 0 else ("odd",),
            **fields,
        )
        for number in range(count)
    ]


def score(items):
    return score_batch(PLAN, [item for item in items if isinstance(item, Sample)])


def stored_run(store, items, name="first", at=NOON, size=10):
    """Keep a run of the items, in batches, at one moment."""
    writer = start_run(store, name, RUN_PLAN, now=lambda: at)
    for start in range(0, len(items), size):
        batch = items[start : start + size]
        writer.record(batch, score(batch))
    return writer


UNREADABLE = SampleError("answers.jsonl, line 3: not JSON \0")
