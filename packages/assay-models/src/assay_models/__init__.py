"""Weights, tokenizer and manifest of Assay's encoder; Assay reads the files, and imports nothing."""
