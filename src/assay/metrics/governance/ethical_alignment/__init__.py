"""Harmful, improper, disrespectful and chatty wording, and what people thought of the answer."""
