"""Answers against what was expected: similarity, overlap, citations and reasoning."""
