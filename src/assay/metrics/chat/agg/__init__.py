"""Aggregates over many tests, as a dashboard shows them: rates, means, trends, hourly series.

They are rules over stored values, not metrics of a sample. An absent value is skipped, and where
nothing is left there is no aggregate: none is never shown as 0 or 100.
"""
