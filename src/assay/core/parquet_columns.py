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
RECORD = {
    "place": "int64",
    "status": "string",
    "duration": "float64",
    "test_language": "string",
    "test_type": "string",
    "error_message": "string",
    "tags": "strings",
    "query": "string",
    "response": "string",
    "expected": "string",
    "sample": "string",
    "texts": "string",
    "outcomes": "string",
    "thresholds": "string",
    "root_cause": "string",
    "category": "string",
    "detected_patterns": "string",
    "recommendations": "string",
}
"""The columns behind those of the metrics in a run by blocks that a store knows of: what its pages
show of a record. `place` counts all records of the run from 0, `sample` is JSON with the fields
that have no column, `texts` all texts in it; `outcomes` and `thresholds` are as in the store."""
QUALITY = ".quality"
"""What the column of a metric's qualities has behind its id; it is there with those above."""
