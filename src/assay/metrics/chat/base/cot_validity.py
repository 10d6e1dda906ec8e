from collections.abc import Sequence

from assay.core import Result, Span, metric
from assay.features import Hits
from assay.features.steps import Steps

STEP_POINTS = 0.3
SHORT_POINTS = 0.1
LONG_POINTS = 0.2
CONNECTOR_POINTS = 0.4
CONCLUSION_POINTS = 0.3
MIN_WORDS = 5
MAX_WORDS = 200
STRUCTURE = ("conclusions.en", "connectors.en", "step_markers")
"""The lexicons of which any hit shows that there is a chain of thought."""


def cot_validity_rule(
    step_word_counts: Sequence[int] | None,
    connector_ratio: float = 0.0,
    has_conclusion: bool = False,
) -> float | None:
    """The points of steps, connectors and conclusion over those that can be had."""
    if not step_word_counts:
        return None
    steps = len(step_word_counts)
    points = sum(map(_points, step_word_counts)) + CONCLUSION_POINTS * has_conclusion
    most = STEP_POINTS * steps + CONCLUSION_POINTS
    if steps > 1:
        points += CONNECTOR_POINTS * connector_ratio
        most += CONNECTOR_POINTS
    return min(1.0, points / most)


def _points(words: int) -> float:
    if words < MIN_WORDS:
        return SHORT_POINTS
    return STEP_POINTS if words <= MAX_WORDS else LONG_POINTS


@metric(
    id="chat.cot_validity",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    version=2,
    lexicons=STRUCTURE,
    languages=("en",),
    formula=cot_validity_rule,
)
def cot_validity(response_steps: Steps, response_hits: Hits) -> Result:
    """How much the response has the form of a chain of thought.

    Each step earns 0.3 points when it has 5 to 200 words, 0.1 when it is shorter, 0.2 when it is
    longer; with several steps, 0.4 times the share of steps with a connector such as "because";
    a conclusion ("therefore", "in summary") 0.3:

        value = points / (0.3·steps + 0.4 if steps > 1 + 0.3)

    The divisor is what can be attained: the document leaves it open. A response without steps, or
    in one piece without step marker, connector or conclusion, is no chain of thought and has no
    value, whether or not there is an expected answer.

    Blind spots: it only sees the form. Nonsense in well-connected steps scores 1.
    """
    has_structure = len(response_steps) > 1 or any(response_hits[name] for name in STRUCTURE)
    if not response_steps or not has_structure:
        return Result.missing("The response is no chain of thought.")
    tied = [step for step in response_steps if step.has_connector]
    conclusions = response_hits["conclusions.en"]
    value = cot_validity_rule(
        [len(step.text.split()) for step in response_steps],
        len(tied) / len(response_steps),
        bool(conclusions),
    )
    return Result(
        value,
        f"{len(response_steps)} steps, {len(tied)} of them with a connector; "
        f"{'a' if conclusions else 'no'} conclusion is announced.",
        (*(Span("response", s.start, s.end, "step") for s in response_steps), *conclusions),
        {"steps": len(response_steps), "connectors": len(tied)},
    )
