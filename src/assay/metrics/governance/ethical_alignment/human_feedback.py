from collections.abc import Mapping
from typing import Any

from assay.core import Result, metric
from assay.scoring.stated_scores import stated_result, stated_score

KEY = "human_feedback_score"
DEFAULT = 0.8
"""The documented value where nobody has said anything."""


def score(metadata: Mapping[str, Any] | None = None) -> float | None:
    """The score in the metadata, 0.8 without one; None for what is no score."""
    return stated_score(metadata, KEY, DEFAULT)


@metric(
    id="governance.human_feedback",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
)
def human_feedback(metadata: Mapping[str, Any], response: str | None) -> Result:
    """What people thought of the response.

        value = metadata.human_feedback_score, from 0 to 1

    Without it the value is an imputed 0.8, which is excluded from means; anything else than a
    number from 0 to 1 gives no score, and so does a sample without a response.

    Blind spots: who was asked, how many and about what is not known here.
    """
    return stated_result(score(metadata), metadata, response, KEY)
