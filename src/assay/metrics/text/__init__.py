"""Offline evaluators of single answers, with thresholds, presets and a combined score.

Rules on words and sentences: quick, the same on every machine, and easy to argue with. They see
wording, not meaning: a paraphrase scores low, a fluent falsehood may score high.
"""
