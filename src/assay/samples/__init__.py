"""Samples from files and to files: readers, the names that other tools use, golden datasets."""

from assay.samples.field_names import formats, mapping
from assay.samples.fields import check_numbers, to_sample
from assay.samples.golden import DatasetSummary, Deduplicated, Diff, ExampleChange, GoldenDataset
from assay.samples.reader import count_records, read_samples

__all__ = [
    "DatasetSummary",
    "Deduplicated",
    "Diff",
    "ExampleChange",
    "GoldenDataset",
    "check_numbers",
    "count_records",
    "formats",
    "mapping",
    "read_samples",
    "to_sample",
]
