from collections.abc import Mapping, Sequence
from typing import Any

from assay.core import Result, metric
from assay.core.trajectory_rules import TrajectoryRules
from assay.core.wording import counted
from assay.scoring.goal import state_problems, unsaid


@metric(
    id="agent.goal_state",
    inputs=("trajectory_rules",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    aliases=("goal_reached", "state_check", "goal_accuracy"),
    exact=True,
)
def goal_state(
    response: str | None,
    conversation: Sequence[Mapping[str, Any]],
    metadata: Mapping[str, Any] | None,
    checked_rules: TrajectoryRules,
) -> Result:
    """Whether the agent reached the required final state and told the user what it had to.

    `trajectory_rules.goal.state` is the part of the world that must be so in the end; the sample's
    `final_state` (an unknown name, so it lies in the metadata) says how it is. Every value of the
    goal must be in the final state at the same place: numbers by value, lists whole and in order;
    what the goal does not name may be anything. `goal.says` are texts that the response or a turn
    of the assistant must contain, without regard to case and to commas in numbers.

        value = values of the goal that hold / values of the goal, where each text of `says` is one

    Without a final state, where all texts were said, there is no value, and the sample is unsure.
    Where nobody gives a goal or a final state, the judge may say whether the goal was reached:
    `judge.goal_reached`.

    Blind spots: what must not have changed has to be named in the goal too.
    """
    goal = checked_rules.goal
    if goal.state is None and not goal.says:
        return Result.missing("The sample's 'trajectory_rules' name no 'goal'.")
    final = (metadata or {}).get("final_state")
    spoken = [t["content"] for t in conversation or () if t.get("role") == "assistant"]
    problems = unsaid(goal.says, [t for t in (response, *spoken) if isinstance(t, str)])
    is_known = isinstance(final, Mapping)
    if goal.state is not None and not is_known and not problems:
        return Result.undecided("The sample has no 'final_state'.", {})
    count, differences = state_problems(goal.state or {}, (is_known and final) or {})
    problems = differences + problems if is_known else problems + differences
    count += len(goal.says)
    more = f" (and {counted(len(problems) - 1, 'more problem')})" if len(problems) > 1 else ""
    reason = f"; {problems[0]}{more}" if problems else ""
    return Result(
        1.0 - len(problems) / count,
        f"{count - len(problems)} of {count} values of the goal hold{reason}.",
        details={"problems": problems[:20]},
    )
