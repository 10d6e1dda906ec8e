"""Talking to other programs over HTTP: deadlines, limits, pace, repetitions and budgets.

Targets, judges and embedding endpoints all speak through here, so there is one layer that repeats
a call and one place that decides how long anything may take.
"""
