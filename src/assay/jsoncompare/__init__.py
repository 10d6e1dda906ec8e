"""Compares two JSON documents field by field: reading, pairing of fields, and likeness of values."""
