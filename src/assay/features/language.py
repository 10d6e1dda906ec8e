"""The language of a text, told by its script and, in Latin script, by its function words."""

from __future__ import annotations

from assay.core.metric import text_feature
from assay.textproc.language import detect
from assay.textproc.normal import Normal
from assay.textproc.words import Words


@text_feature(data=("languages.toml",))
def language(normal: Normal, words: Words) -> str:
    """The language code, or "und" (undetermined) for a text without letters."""
    return detect(normal, words)
