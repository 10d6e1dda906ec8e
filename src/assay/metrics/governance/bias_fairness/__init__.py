"""Sweeping and stereotyping language, and how specific an answer is: proxies over one text."""
