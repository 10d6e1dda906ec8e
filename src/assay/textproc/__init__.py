"""Algorithms over text: normal form, words, language, stems, patterns, numbers, overlap scores."""
