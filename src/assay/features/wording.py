"""What the fitted n-gram models say of a text, and which words they say it for."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import text_feature
from assay.linear import Ngrams, ngram_model
from assay.textproc.normal import Normal

SHOWN = 3
"""Words that are named at most."""


class NgramWording(NamedTuple):
    """The logit of a model, and the words that raise it most."""

    logit: float
    strongest: tuple[tuple[int, int], ...]
    """Places in the normalised text; none where the logit is negative."""

    def labelled(self) -> list[tuple[str, int, int]]:
        """The strongest words, labelled as evidence."""
        return [("wording", start, end) for start, end in self.strongest]


@text_feature(data=("models/toxicity.npz", "models/toxicity_measures.json"))
def toxicity_wording(normal: Normal, ngrams: Ngrams) -> NgramWording:
    """How toxic the wording is, by the model `toxicity`."""
    return _wording("toxicity", normal, ngrams)


@text_feature(data=("models/harm.npz", "models/harm_measures.json"))
def harm_wording(normal: Normal, ngrams: Ngrams) -> NgramWording:
    """How much the wording is that of a harmful reply, by the model `harm`."""
    return _wording("harm", normal, ngrams)


@text_feature(data=("models/bias.npz", "models/bias_measures.json"))
def bias_wording(normal: Normal, ngrams: Ngrams) -> NgramWording:
    """How much the wording is that of a stereotype, by the model `bias`."""
    return _wording("bias", normal, ngrams)


@text_feature(data=("models/injection.npz", "models/injection_query.json"))
def injection_wording(normal: Normal, ngrams: Ngrams) -> NgramWording:
    """How much the wording is that of an attack, by the model `injection`."""
    return _wording("injection", normal, ngrams)


def _wording(name: str, normal: Normal, ngrams: Ngrams) -> NgramWording:
    model = ngram_model(name)
    logit = model.logit_of(ngrams)
    if logit <= 0:
        return NgramWording(logit, ())
    parts = model.contributions(normal.lower, SHOWN, ngrams)
    return NgramWording(logit, tuple((part.start, part.end) for part in parts))
