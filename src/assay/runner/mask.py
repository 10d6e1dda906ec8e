"""Blacks out marks of persons before anything of a run is written.

What counts as such a mark is `assay.textproc.masking`'s affair. All places of evidence stay right,
and scores are computed before; only a judge behind an endpoint is shown masked texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from assay.core import Document, Result, Sample, Scores
from assay.textproc.masking import masked


def mask_sample(sample: Sample) -> Sample:
    """The sample without marks of persons."""
    return replace(sample, **{f.name: mask(getattr(sample, f.name)) for f in fields(Sample)})


def mask_scores(scores: Scores) -> Scores:
    """The scores without marks of persons in their explanations and details."""
    results = {id: _mask_result(result) for id, result in scores.results.items()}
    return replace(scores, id=mask(scores.id), results=results)


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
