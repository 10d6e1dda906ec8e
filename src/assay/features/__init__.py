"""What many metrics read, computed once per sample: normalised text, words, sentences, hits."""

from assay.features.hits import Hits
from assay.features.sentences import Sentence, Sentences
from assay.textproc.normal import Normal
from assay.textproc.patterns import Matcher
from assay.textproc.words import Words

__all__ = ["Hits", "Matcher", "Normal", "Sentence", "Sentences", "Words"]
