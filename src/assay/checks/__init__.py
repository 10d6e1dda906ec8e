"""Checks that a record carries itself: how they are written, and how patterns are matched."""
