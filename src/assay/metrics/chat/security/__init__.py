"""Whether attacks succeed."""
