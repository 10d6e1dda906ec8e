"""The rules of the chat family that need no model, one by one, with plain means.

This is the yardstick of the speed-up: each metric as a developer would write it on its own, with
the standard library, and with NLTK and rouge-score for what they define. A metric normalises and
splits the texts that it needs, looks for word lists with `re` pattern by pattern (compiled once),
and gives value, explanation and places like ours. Nothing is slow on purpose; but no metric knows
what another one has computed, and a combined score computes its own parts.

Only what our records hold is read: JSON Schemas have the usual keywords, tool calls the fields
`name`, `arguments` and `success`.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.core import Result, Sample
from benchmarks.naive_chat import records, safety, texts

METRICS = {
    f"chat.{metric.__name__}": metric
    for metric in (*records.METRICS, *safety.METRICS, *texts.METRICS)
}


def score(sample: Sample, left_out: Sequence[str] = ()) -> dict[str, Result]:
    """The metrics of the family, one after the other."""
    return {id: metric(sample) for id, metric in METRICS.items() if id not in left_out}
