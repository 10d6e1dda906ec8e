from assay.core import Result, Span, metric
from assay.features.step_checks import CheckedSteps

SHOWN = 20
"""Steps that are listed in the details; the explanation counts all."""


@metric(
    id="agent.step_correctness",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.5,
    aliases=("reasoning_validity", "process_correctness"),
)
def step_correctness(checked_steps: CheckedSteps) -> Result:
    """Whether reasoning steps are correct, as far as they can be checked without a model.

    The steps of the response are checked one by one against those before them and the query; the
    field `steps` holds earlier ones that are not judged. Equations are evaluated, with the values
    that letters got earlier; orders ("ant" < "bee") must be orders and keep their items; a state
    ("Alice: red, Bob: blue") must keep its names and values, and a swap exchanges two of them.

        value = the least probability of a step; logit = bias + weights of (a check fails, all hold)

    The weights are fitted on labelled steps (`models/step_correctness.json`). Where no step writes
    out anything that can be checked, there is no value.

    Blind spots: a step in plain words is not checked, and neither is whether a right calculation is
    the one that the question asks for. Half of the wrong steps in worded problems write right
    equations.
    """
    if not any(step.checks for step in checked_steps):
        return Result.missing("No step of the response writes out something that can be checked.")
    wrong = [step for step in checked_steps if step.problems]
    made = sum(len(step.checks) for step in checked_steps)
    checks = "1 check" if made == 1 else f"{made} checks"
    reason = f"; {wrong[0].problems[0]}" if wrong else ""
    return Result(
        min(step.probability for step in checked_steps if step.checks),
        f"{len(wrong)} of {len(checked_steps)} steps fail one of {checks}{reason}.",
        tuple(Span("response", step.start, step.end, step.problems[0]) for step in wrong),
        {"problems": [list(step.problems) for step in wrong[:SHOWN]]},
    ).limited()
