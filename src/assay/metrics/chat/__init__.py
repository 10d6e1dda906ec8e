"""Metrics of chatbots and agents from the PyAI-Slayer guide, in seven groups and a test layer.

Many of them are proxies, as their own document says: a similarity is no truth, a pattern no intent.
Each page states its blind spots, and true variants stand beside the proxies.
"""
