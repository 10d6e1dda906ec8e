"""Names in a text, told by capital letters alone."""

from __future__ import annotations

import re
from itertools import islice

from assay.core import Span, text_feature
from assay.textproc.normal import Normal

MAX_NAMES = 100
"""At most this many names of one text are listed."""
_CAPITALISED = r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]+"
_NAME = re.compile(rf"\b{_CAPITALISED}(?:[ -]{_CAPITALISED}){{1,9}}\b|\b[A-Z]{{2,12}}\b")

ProperNames = tuple[Span, ...]
"""The names in order, labelled `name` (two words or more) or `acronym`."""


@text_feature()
def proper_names(normal: Normal, *, field: str) -> ProperNames:
    """Two or more capitalised words in a row, and acronyms: "Asha Rao", "CIC"."""
    matches = islice(_NAME.finditer(normal.text), MAX_NAMES)
    return tuple(
        Span(field, *normal.span(*match.span()), "acronym" if match.group().isupper() else "name")
        for match in matches
    )
