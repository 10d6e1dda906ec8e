from assay.core import Result, metric
from assay.core.trajectory_rules import TrajectoryRules
from assay.features.trajectory import Steps, listed, named, spans
from assay.scoring.trajectory import fits, too_early


@metric(
    id="agent.call_order",
    inputs=("trajectory_rules",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=2,
    aliases=("precedence",),
    exact=True,
)
def call_order(trajectory: Steps | None, checked_rules: TrajectoryRules) -> Result:
    """Whether calls came after the calls that must precede them.

    Each pair of `trajectory_rules.before` names two calls. The second must not be made before the
    first has been made and has not failed:

        value = 1 − calls that came too early / calls that had to wait

    A second call that is never made breaks nothing. The evidence marks the calls that came too
    early.

    Blind spots: whether the later call used what the earlier one gave is not looked at, and a tool
    that does not tell whether it failed counts as having succeeded.
    """
    if not checked_rules.before:
        return Result.missing("The sample's 'trajectory_rules' name no 'before'.")
    if trajectory is None:
        return Result.undecided("The sample has no 'tool_calls'.", {})
    waiting = sum(fits(later, s.call) for _, later in checked_rules.before for s in trajectory)
    if not waiting:
        return Result(1.0, "No call was made that has to wait for another.")
    early = too_early(trajectory, checked_rules.before)
    first = f"; {named(early[0].step)} {early[0].problem}" if early else ""
    return Result(
        1.0 - len(early) / waiting,
        f"{len(early)} of {waiting} calls that have to wait came too early{first}.",
        spans(early),
        {"steps": listed(early)},
    )
