"""Weights, tokenizer and manifest of the encoder of Assay, which reads the files alone."""
