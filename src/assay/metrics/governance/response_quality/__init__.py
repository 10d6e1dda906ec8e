"""Response quality: whether the answer is right, complete and to the point."""
