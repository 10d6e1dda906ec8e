"""Formulas and result builders that several metrics share."""
