from assay.core import Result, metric
from assay.features.trajectory import Offence, Steps, listed, named, spans


@metric(
    id="agent.error_recovery",
    inputs=("tool_calls",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    aliases=("recovery", "tool_error_recovery"),
)
def error_recovery(trajectory: Steps) -> Result:
    """Whether the agent recovered from failed calls.

    A call failed when it says so (`status`, `error`, `success`, `is_error`). It is made good when
    the same tool is called again later and does not fail:

        value = failed calls that were made good / failed calls

    Where no call failed there is nothing to recover from, and no value. The evidence marks the
    failures that were never made good.

    Blind spots: another tool that reaches the same end is not seen as a recovery, nor is telling
    the user that something cannot be done, which may be the right way out.
    """
    failed = [step for step in trajectory if step.call.succeeded is False]
    if not failed:
        return Result.missing("No call tells that it failed.")
    last_success: dict[str, int] = {
        step.call.name: step.place for step in trajectory if step.call.succeeded is not False
    }
    lost = [
        Offence(step, "failed and was never made good")
        for step in failed
        if last_success.get(step.call.name, -1) < step.place
    ]
    first = f"; {named(lost[0].step)} {lost[0].problem}" if lost else ""
    return Result(
        1.0 - len(lost) / len(failed),
        f"{len(failed) - len(lost)} of {len(failed)} failed calls were made good{first}.",
        spans(lost),
        {"steps": listed(lost)},
    )
