"""Measures Assay's speed and memory as ratios that any machine can make again: `make bench`."""
