"""Runs: from samples to scores, in this process or in several."""

from assay.runner.execute import RunRequest, RunResult, execute
from assay.runner.job import Job, make_job
from assay.runner.python_api import Report, aevaluate, evaluate, score
from assay.runner.verify import Vector, VectorFailure, read_vectors, verify

__all__ = [
    "Job",
    "Report",
    "RunRequest",
    "RunResult",
    "Vector",
    "VectorFailure",
    "aevaluate",
    "evaluate",
    "execute",
    "make_job",
    "read_vectors",
    "score",
    "verify",
]
