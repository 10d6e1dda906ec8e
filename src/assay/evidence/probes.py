"""Parts of a metric that deserve a measurement of their own, such as one strategy for fields.

A probe is called as a baseline is: samples and the run's models in, one number a sample out. What
it measures is computed by the engine, as in any run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.backends import Backends
from assay.core import Result, Sample, metric
from assay.core.json_result import JsonComparison
from assay.data import Profile
from assay.data.json_options import JsonOptions
from assay.engine import make_plan, score_batch
from assay.evidence.baselines import Baseline, Numbers, field_pairs


@metric(
    id="probe.field_similarity",
    inputs=("response_json", "expected_json"),
    range=(0.0, 1.0),
    polarity="higher",
    tags=("model",),
)
def field_similarity(response_json_comparison: JsonComparison) -> Result:
    """The mean similarity of the fields that have a value in both documents."""
    fields = response_json_comparison.field_scores
    if not fields or any(f.similarity is None for f in fields if f.bucket == "both_non_null"):
        return Result.missing("There are no two documents whose fields could be compared.")
    similarities = [f.similarity for f in fields if f.similarity is not None]
    return Result(
        sum(similarities) / len(similarities) if similarities else 0.0,
        f"{len(similarities)} fields were compared.",
    )


def json_fuzzy(samples: Sequence[Sample], backends: Backends) -> Numbers:
    """The mean similarity of fields by the strategy FUZZY."""
    return _similarities(samples, backends, "FUZZY")


def json_semantic(samples: Sequence[Sample], backends: Backends) -> Numbers:
    """The mean similarity of fields by the strategy SEMANTIC."""
    return _similarities(samples, backends, "SEMANTIC")


def _similarities(samples: Sequence[Sample], backends: Backends, strategy: str) -> Numbers:
    """The mean similarity of fields where all of them have one strategy."""
    names = {name for sample in samples for name in field_pairs(sample) or ()}
    strategies: dict[str, Any] = dict.fromkeys(sorted(names), strategy)
    profile = Profile(json_options=JsonOptions(strategies=strategies))
    plan = make_plan([field_similarity], profile, backends=backends)
    return [scores[field_similarity.id].value for scores in score_batch(plan, samples)]


PROBES: Mapping[str, Baseline] = {"json_fuzzy": json_fuzzy, "json_semantic": json_semantic}
"""What an experiment may name under `[probes]`."""
