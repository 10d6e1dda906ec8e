"""The hashed n-grams of a text, computed once for all linear models that read it."""

from __future__ import annotations

from assay.core import text_feature
from assay.linear import Ngrams, hashed_ngrams
from assay.textproc.normal import Normal


@text_feature()
def ngrams(normal: Normal) -> Ngrams:
    """Character n-grams, words and pairs of words of the text, as numbers of buckets."""
    return hashed_ngrams(normal.lower)
