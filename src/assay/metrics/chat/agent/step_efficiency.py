from assay.core import Result, metric


@metric(
    id="chat.step_efficiency",
    inputs=("expected_steps", "steps_taken"),
    range=(0.0, 100.0),
    polarity="higher",
    unit="%",
)
def step_efficiency(expected_steps: int, steps_taken: int) -> Result:
    """How close the number of steps taken is to the number expected.

        value = min(100, expected steps / steps taken · 100),   0 when no step was taken

    Blind spots: fewer steps than expected count as perfect, also where the agent gave up early or
    skipped a check; what the steps did is not seen.
    """
    efficiency = 100.0 * expected_steps / steps_taken if steps_taken else 0.0
    return Result(
        min(100.0, efficiency),
        f"{steps_taken} steps were taken where {expected_steps} were expected.",
    )
