from assay.core import Result, metric
from assay.core.trajectory_rules import MatchMode, TrajectoryRules
from assay.features.offered_tools import Tools
from assay.features.tool_calls import Calls
from assay.features.trajectory import Steps, listed, named, shown, spans
from assay.scoring.trajectory import match_trajectory


@metric(
    id="agent.trajectory_match",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    aliases=("trajectory_evaluator", "trajectory_strict_match", "trajectory_unordered_match"),
    exact=True,
)
def trajectory_match(
    trajectory: Steps | None,
    wanted_calls: Calls | None,
    offered_tools: Tools | None,
    checked_rules: TrajectoryRules | None,
    *,
    mode: MatchMode = "strict",
) -> Result:
    """Whether the calls of an agent are those of an expected trajectory.

        value = calls that fit / all that are compared

    | `mode` | it holds when | all that are compared |
    |---|---|---|
    | `strict` | the calls are the expected ones, in their order | the longer of the two |
    | `unordered` | they are the expected ones, in any order | the longer of the two |
    | `subset` | no call was made that is not expected | the calls made |
    | `superset` | every expected call was made | the expected calls |

    The sample's `trajectory_rules` may name the mode as `match`, which counts before the option
    `mode`; where a sample has rules and they name none, nothing is compared. Whether two calls fit
    is decided as by `agent.tool_calls`. The evidence marks the calls that should not be there, or
    not there; calls that are absent are listed in the details.

    Blind spots: another way to the same goal counts as wrong, and a match says nothing about what
    the agent told the user.
    """
    if trajectory is None or wanted_calls is None:
        absent_field = "tool_calls" if trajectory is None else "expected_tool_calls"
        return Result.missing(f"The sample has no {absent_field!r}.")
    if checked_rules is not None:
        if checked_rules.match is None:
            return Result.missing("The sample's 'trajectory_rules' name no 'match'.")
        mode = checked_rules.match
    match = match_trajectory(trajectory, wanted_calls, offered_tools or {}, mode)
    if match.total == 0:
        return Result(1.0, f"No call had to be compared in the mode {mode}.")
    problems = [f"{named(step)}: {problem}" for step, problem in match.offences]
    problems += [f"{shown(call.name, 60)} was not called" for call in match.absent]
    reason = f"; {problems[0]}" if problems else ""
    more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
    return Result(
        match.right / match.total,
        f"{match.right} of {match.total} calls fit in the mode {mode}{reason[:160]}{more}.",
        spans(match.offences),
        {"steps": listed(match.offences), "absent": [shown(c.name) for c in match.absent[:20]]},
    )
