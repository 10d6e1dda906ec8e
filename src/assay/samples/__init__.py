"""Samples from files and to files: readers, the names that other tools use, golden datasets."""

from assay.samples.fields import to_sample
from assay.samples.golden import Change, Deduplicated, Diff, GoldenDataset, Summary
from assay.samples.names import formats, mapping
from assay.samples.read import count_records, read_samples

__all__ = [
    "Change",
    "Deduplicated",
    "Diff",
    "GoldenDataset",
    "Summary",
    "count_records",
    "formats",
    "mapping",
    "read_samples",
    "to_sample",
]
