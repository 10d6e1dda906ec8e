from assay.core import Result, metric
from assay.core.trajectory_rules import MatchMode, TrajectoryRules
from assay.core.wording import counted
from assay.features.offered_tools import Tools
from assay.features.tool_calls import Calls, read_call
from assay.features.trajectory import Steps, listed, named, shown, spans
from assay.scoring.trajectory import fits, has_name, match_trajectory


@metric(
    id="agent.trajectory_match",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
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
    """Whether the agent's calls match an expected trajectory.

        value = calls that fit / all that are compared

    | `mode` | it holds when | all that are compared |
    |---|---|---|
    | `strict` | the calls are the expected ones, in their order | the longer of the two |
    | `unordered` | they are the expected ones, in any order | the longer of the two |
    | `subset` | no call was made that is not expected | the calls made |
    | `superset` | every expected call was made | the expected calls |
    | `changes` | as `unordered`, over calls that may change something | the longer of the two |

    A call may change something when it did not fail and its tool does more than read: the name of
    one that reads begins with a verb such as get, search or list (`data/tool_names.toml`).
    The sample's `trajectory_rules` may name the mode as `match`, which counts before the option
    `mode`; where a sample has rules and they name none, nothing is compared. Whether two calls fit
    is decided as by `agent.tool_calls`. The rules may also hold the expected calls (`calls`), and
    name calls that are left `aside`, such as a tool for thinking. The evidence marks the calls that
    should not be there, or not there; calls that are absent are listed in the details.

    Blind spots: another way to the same goal counts as wrong, and a match says nothing about what
    the agent told the user; the name of a tool may not tell whether it changes something.
    """
    rules = checked_rules or TrajectoryRules(mode)
    expected = wanted_calls if rules.calls is None else tuple(map(read_call, rules.calls))
    if rules.match is None:
        return Result.missing("The sample's 'trajectory_rules' name no 'match'.")
    if trajectory is None or expected is None:
        absent_field = "tool_calls" if trajectory is None else "expected_tool_calls"
        reason = f"The sample has no {absent_field!r}."
        return Result.undecided(reason, {}) if checked_rules else Result.missing(reason)
    mode = rules.match
    made = tuple(s for s in trajectory if not any(fits(p, s.call) for p in rules.aside))
    expected = tuple(c for c in expected if not any(has_name(p, c) for p in rules.aside))
    match = match_trajectory(made, expected, offered_tools or {}, mode)
    if match.total == 0:
        return Result(1.0, f"No call had to be compared in the mode {mode}.")
    problems = [f"{named(step)} {problem}" for step, problem in match.offences]
    problems += [f"{shown(call.name, 60)} was not called" for call in match.absent]
    reason = f"; {problems[0]}" if problems else ""
    more = f" (and {counted(len(problems) - 1, 'more problem')})" if len(problems) > 1 else ""
    return Result(
        match.right / match.total,
        f"{match.right} of {match.total} calls fit in the mode {mode}{reason[:160]}{more}.",
        spans(match.offences),
        {"steps": listed(match.offences), "absent": [shown(c.name) for c in match.absent[:20]]},
    )
