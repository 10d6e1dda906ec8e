"""Whether two texts or values say the same, and where they differ: pure functions, no model."""
