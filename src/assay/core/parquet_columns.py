"""The columns of scores in Parquet, of which the writers and the readers must agree."""

from __future__ import annotations

FORM = 1
"""The form of the tables, which their metadata states."""
VERDICT = ".verdict"
"""What the column of a metric's verdicts has behind its id."""
LEADING = {
    "id": "string",
    "score": "float64",
    "verdict": "string",
    "language": "string",
    "errors": "strings",
    "imputed": "strings",
    "problem": "string",
}
"""The columns before those of the metrics, and their Arrow types."""
DETAILS = {
    "sample": "string",
    "metric": "string",
    "value": "float64",
    "quality": "float64",
    "passed": "bool_",
    "verdict": "string",
    "gates": "bool_",
    "threshold": "float64",
    "state": "string",
    "explanation": "string",
    "evidence": "string",
    "details": "string",
    "signature": "string",
}
"""The columns of the details; evidence and details are JSON text."""
