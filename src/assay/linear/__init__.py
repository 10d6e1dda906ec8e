"""Small linear models: hashed n-grams and measures in, a probability out.

Weights are data files under `data/models`, each checked against its hash when it is loaded. The
scripts that fit them are in `training/`.
"""

from assay.linear.combined import Combiner, bounded, bounded_logit, combiner
from assay.linear.models import MeasureModel, NgramModel, measure_model, models_from, ngram_model
from assay.linear.ngrams import Ngrams, hashed_ngrams

__all__ = [
    "Combiner",
    "MeasureModel",
    "NgramModel",
    "Ngrams",
    "bounded",
    "bounded_logit",
    "combiner",
    "hashed_ngrams",
    "measure_model",
    "models_from",
    "ngram_model",
]
