"""Compares two JSON documents: reads them, pairs their fields, and measures how alike they are."""
