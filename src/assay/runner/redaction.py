"""Masks personal data before anything of a run is written.

`assay.safety.pii_masking` decides what counts as personal data. Only `run_stream`, through which
every scored sample passes, the keeper of answers that are not scored yet, the queue of unsure
samples and the end of a pytest session call this module. All places of evidence stay right, and
scores are computed before; only a judge behind an endpoint is shown masked texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from assay.core import Document, Result, Sample, SampleError, Scores
from assay.safety.pii_masking import masked


def mask_item(item: Sample | SampleError) -> Sample | SampleError:
    """The sample, or the reason why a record is none, without personal data."""
    return type(item)(mask(str(item))) if isinstance(item, SampleError) else mask_sample(item)


def mask_sample(sample: Sample) -> Sample:
    """The sample without personal data."""
    return replace(sample, **{f.name: mask(getattr(sample, f.name)) for f in fields(Sample)})


def mask_scores(scores: Scores) -> Scores:
    """The scores without personal data in their explanations and details."""
    results = {id: _mask_result(result) for id, result in scores.results.items()}
    return replace(scores, id=mask(scores.id), results=results, language=mask(scores.language))


def _mask_result(result: Result) -> Result:
    return result._replace(explanation=mask(result.explanation), details=mask(result.details))


def mask(value: Any) -> Any:
    """The value with every text in it masked, keys too."""
    if isinstance(value, str):
        return masked(value)
    if isinstance(value, Mapping):
        return {mask(key): mask(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(mask, value))
    if isinstance(value, Document):
        return replace(value, **{name: mask(getattr(value, name)) for name in Document.__slots__})
    return value
