"""Quality tests with pytest; nothing here is imported unless a test asks for it."""
