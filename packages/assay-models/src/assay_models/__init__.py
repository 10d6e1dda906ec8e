"""Weights, tokenizer and manifest of Assay's encoder: read as files, never imported."""
