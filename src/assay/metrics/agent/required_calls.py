from assay.core import Result, metric
from assay.core.trajectory_rules import CallPattern, TrajectoryRules
from assay.core.wording import counted
from assay.features.trajectory import Offence, Steps, listed, shown, spans
from assay.scoring.trajectory import count_of, has_name


@metric(
    id="agent.required_calls",
    inputs=("trajectory_rules",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    aliases=("tool_called",),
    exact=True,
)
def required_calls(trajectory: Steps | None, checked_rules: TrajectoryRules) -> Result:
    """Whether the required calls were made, as many times as allowed.

    Each entry of `trajectory_rules.required` names a tool, or a call with conditions on its
    arguments and with `at_least` (1 unless given) and `at_most` for how often it is to be made:

        value = entries that are met / entries

    A call that failed does not count. The evidence marks calls of the tool that do not meet the
    conditions, and those beyond `at_most`; what is absent is listed in the details.

    Blind spots: a call that was made without need counts as made.
    """
    if not checked_rules.required:
        return Result.missing("The sample's 'trajectory_rules' name no 'required'.")
    if trajectory is None:
        return Result.undecided("The sample has no 'tool_calls'.", {})
    unmet: list[str] = []
    offences: list[Offence] = []
    for pattern in checked_rules.required:
        problem, own = _unmet(pattern, trajectory)
        unmet += [problem] if problem else []
        offences += own
    total = len(checked_rules.required)
    reason = f"; {unmet[0]}" if unmet else ""
    return Result(
        1.0 - len(unmet) / total,
        f"{total - len(unmet)} of {total} requirements are met{reason}.",
        spans(offences),
        {"unmet": unmet[:20], "steps": listed(offences)},
    )


def _unmet(pattern: CallPattern, steps: Steps) -> tuple[str, list[Offence]]:
    """Why a requirement is not met, and the calls to blame; empty where it is."""
    made = count_of(steps, pattern)
    name = shown(pattern.name, 60)
    if len(made) < pattern.at_least:
        times = f"{counted(len(made), 'time')} (at least {pattern.at_least})"
        others = [s for s in steps if has_name(pattern, s.call)]
        return f"{name} was called {times}", [
            Offence(step, "does not meet the requirement") for step in others if step not in made
        ]
    if pattern.at_most is not None and len(made) > pattern.at_most:
        problem = f"{name} was called {counted(len(made), 'time')} (at most {pattern.at_most})"
        return problem, [Offence(step, "is one too many") for step in made[pattern.at_most :]]
    return "", []
