"""Blacks out marks of persons before anything of a run is written.

Every character of an e-mail address, a telephone, card or identity number becomes `█`, so that all
places of evidence stay right. Scores are computed before. What the patterns do not know, such as a
person's name, stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from assay.core import Document, Result, Sample, Scores
from assay.features.normal import normal
from assay.features.patterns import matcher

BLACK = "█"
LEXICONS = frozenset({"pii", "pii_numbers"})
"""The pattern sets whose hits are blacked out."""


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
        return _masked(value)
    if isinstance(value, Mapping):
        return {mask(key): mask(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(map(mask, value))
    if isinstance(value, Document):
        return replace(value, **{name: mask(getattr(value, name)) for name in Document.__slots__})
    return value


def _masked(text: str) -> str:
    known = normal.feature(text)
    spans = [known.span(found.start, found.end) for found in matcher(LEXICONS).find(known)]
    for start, end in spans:
        text = text[:start] + BLACK * (end - start) + text[end:]
    return text
