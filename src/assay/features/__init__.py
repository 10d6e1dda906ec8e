"""What many metrics read, computed once per sample: normalised text, words, sentences, hits."""

from assay.features.hits import Hits
from assay.features.normal import Normal
from assay.features.patterns import Matcher
from assay.features.sentences import Sentence, Sentences
from assay.features.words import Words

__all__ = ["Hits", "Matcher", "Normal", "Sentence", "Sentences", "Words"]
