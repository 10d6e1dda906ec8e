"""Conversations: what all turns together show, from both sides.

They read the turns in `conversation`. All are heuristics over words: they inform, and decide
nothing unless somebody chooses them by name.
"""
