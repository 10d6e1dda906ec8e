"""Text made comparable: compatibility forms, quotes, blanks, digits and look-alikes in one form."""

from __future__ import annotations

from assay.core.metric import text_feature
from assay.textproc.normal import Normal, normalise


@text_feature(data=("confusables.txt",))
def normal(text: str) -> Normal:
    """The text made comparable."""
    return normalise(text)
