"""What makes a text unsafe: pure rules over text, pattern hits and fitted weights.

Places are those of the normalised text. Features and metrics above turn them into spans.
"""
