from assay.core import Result, metric
from assay.core.trajectory_rules import TrajectoryRules
from assay.features.trajectory import Offence, Steps, listed, named, spans
from assay.scoring.trajectory import broken_conditions, has_name


@metric(
    id="agent.call_arguments",
    inputs=("trajectory_rules",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    aliases=("argument_correctness", "tool_args_match"),
    exact=True,
)
def call_arguments(trajectory: Steps | None, checked_rules: TrajectoryRules) -> Result:
    """Whether every tool call meets the conditions on its arguments.

    Each entry of `trajectory_rules.arguments` names a tool and what must hold of its arguments: a
    value that it must equal, or `equals`, `any_of`, `none_of`, `above`, `below`, `at_least`,
    `at_most`, `matches` (a linear-time expression, found anywhere in the text), `contains`,
    `present`. An argument that is absent meets none of them but `present = false`.

        value = calls that meet every condition / calls that have conditions

    Values are compared as numbers where both can be read so, else as they stand. The evidence marks
    the calls that break a condition. A tool that was not called breaks none; where no tool with
    conditions was called there is nothing to judge.

    Blind spots: conditions speak of one argument each, never of two together.
    """
    if not checked_rules.arguments:
        return Result.missing("The sample's 'trajectory_rules' name no 'arguments'.")
    if trajectory is None:
        return Result.undecided("The sample has no 'tool_calls'.", {})
    judged, broken = 0, []
    for step in trajectory:
        own = [p for p in checked_rules.arguments if has_name(p, step.call)]
        judged += bool(own)
        problems = [problem for p in own for problem in broken_conditions(p, step.call)]
        broken += [Offence(step, problems[0])] if problems else []
    if not judged:
        return Result.missing("No tool was called whose arguments have conditions.")
    first = f"; {named(broken[0].step)}: {broken[0].problem}" if broken else ""
    return Result(
        1.0 - len(broken) / judged,
        f"{judged - len(broken)} of {judged} calls meet the conditions{first}.",
        spans(broken),
        {"steps": listed(broken)},
    )
