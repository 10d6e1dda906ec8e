"""The words of a text, as the documented tokeniser sees them."""

from __future__ import annotations

from assay.core.metric import text_feature
from assay.textproc.normal import Normal
from assay.textproc.words import Words


@text_feature()
def words(normal: Normal) -> Words:
    """The words of the text."""
    return Words(normal)
