"""The checks of the test layer: similarity, overlap, quality and fallbacks."""
