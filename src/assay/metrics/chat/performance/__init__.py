"""How long answers take."""
