"""Runs: from samples to scores, in this process or in several."""

from assay.runner.calls import Report, aevaluate, evaluate, score
from assay.runner.job import Job
from assay.runner.stream import run_stream
from assay.runner.verify import Vector, VectorFailure, read_vectors, verify

__all__ = [
    "Job",
    "Report",
    "Vector",
    "VectorFailure",
    "aevaluate",
    "evaluate",
    "read_vectors",
    "run_stream",
    "score",
    "verify",
]
