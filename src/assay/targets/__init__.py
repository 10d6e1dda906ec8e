"""The systems under test: what asks them, and what they answer."""
