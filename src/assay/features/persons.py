"""Names of persons in a text."""

from __future__ import annotations

from assay.core import text_feature
from assay.safety.persons import PersonName, person_names
from assay.textproc.normal import Normal

Persons = tuple[PersonName, ...]
"""Names with their places in the normalised text."""


@text_feature(
    data=(
        "lexicons/given_names.txt",
        "lexicons/given_names.ar.txt",
        "lexicons/name_like_words.en.txt",
        "lexicons/names_as_words.en.txt",
        "lexicons/public_figures.txt",
        "lexicons/public_figures.ar.txt",
    )
)
def persons(normal: Normal) -> Persons:
    """Names of persons in the text, told by titles, lists and capital letters."""
    return person_names(normal.text)
