"""The sample metric of the evaluator guide: only vectors ask for it, so it is no product metric."""

from assay.core import rule

MIN_LENGTH = 10


@rule("text.custom_example")
def custom_example(response: str) -> float:
    """0 for short or failed output, else 0.9."""
    return 0.0 if len(response) < MIN_LENGTH or "ERROR" in response else 0.9
