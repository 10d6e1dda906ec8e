"""The steps of a response with the checks that could be made of them."""

from __future__ import annotations

from typing import NamedTuple

from assay.core import feature
from assay.features.steps import Steps
from assay.linear import measure_model
from assay.textproc.step_checks import StepCheck, check_step

MODEL = "step_correctness"


class CheckedStep(NamedTuple):
    """A step of the response, its place, and what was found."""

    start: int
    end: int
    checks: tuple[StepCheck, ...]
    probability: float
    """That the step is right."""

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with it."""
        return tuple(check.reason for check in self.checks if not check.holds)


CheckedSteps = tuple[CheckedStep, ...]


@feature(data=("models/step_correctness.json",))
def checked_steps(
    response: str,
    response_steps: Steps,
    query: str | None = None,
    steps: tuple[str, ...] | None = None,
) -> CheckedSteps:
    """The steps of the response, each checked against all that came before."""
    before = list(steps or ())
    places = [(step.text, step.start, step.end) for step in response_steps]
    result = []
    for text, start, end in places or [(response, 0, len(response))]:
        checks = tuple(check_step(text, before, query or ""))
        result.append(CheckedStep(start, end, checks, probability(checks)))
        before.append(text)
    return tuple(result)


def probability(checks: tuple[StepCheck, ...]) -> float:
    """The probability that a step with these checks is right."""
    return measure_model(MODEL).probability(measures(checks))


def measures(checks: tuple[StepCheck, ...]) -> dict[str, float]:
    """What the model weighs."""
    failed = any(not check.holds for check in checks)
    return {"failed": float(failed), "held": float(bool(checks) and not failed)}
