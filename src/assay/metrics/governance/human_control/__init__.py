"""Whether a reader learns whom to ask, how to appeal, and what made the answer."""
