"""Retrieval: what was found, and what the answer made of it."""
