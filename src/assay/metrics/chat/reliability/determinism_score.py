from collections.abc import Mapping

from assay.core import Result, metric


@metric(
    id="chat.determinism_score",
    inputs=(),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
    tags=("model",),
)
def determinism_score(
    scores: Mapping[str, Result], *, metrics: tuple[str, ...] = ("chat.output_stability",)
) -> Result:
    """How similar repeated answers are, by the PyAI-Slayer guide's proxy.

        value = `chat.output_stability`, with its state

    Where that score is missing or imputed, so is this one.

    Blind spots: similar answers are not the same answers; `chat.determinism_repeats` counts
    identical ones over repeated runs.
    """
    stability = next(iter(scores.values()), Result.missing("There is no stability score."))
    if stability.value is None:
        return Result(None, stability.explanation, state=stability.state)
    return Result(
        stability.value,
        f"The output stability is {stability.value:.1f} %.",
        stability.evidence,
        state=stability.state,
    )
