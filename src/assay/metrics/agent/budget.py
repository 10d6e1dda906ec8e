from collections.abc import Mapping
from typing import Any

from assay.core import Result, metric
from assay.core.trajectory_rules import TrajectoryRules
from assay.features.trajectory import Offence, Steps, listed, spans
from assay.features.usage import CallUsage
from assay.scoring.spending import spent_of


@metric(
    id="agent.budget",
    inputs=("trajectory_rules",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=3,
    aliases=("step_count", "cost_budget", "token_budget"),
    exact=True,
)
def budget(
    trajectory: Steps | None,
    steps_taken: int | None,
    duration: float | None,
    response_tokens: int | None,
    usage: CallUsage | None,
    metadata: Mapping[str, Any] | None,
    checked_rules: TrajectoryRules,
) -> Result:
    """Whether the agent stayed within its limits of steps, tokens, time and money.

    `trajectory_rules.budget` sets a limit for any of them:

        value = limits that are kept / limits that are set

    | limit | what is compared |
    |---|---|
    | `steps` | `steps_taken`, else the number of `tool_calls` |
    | `tokens` | `total_tokens` of the metadata, else prompt and completion tokens together |
    | `seconds` | `duration` |
    | `usd` | `cost` or `cost_usd` of the metadata, else the documented price of model and tokens |

    A limit that nobody looked at is not kept: where one of them is not known and no other is
    broken, there is no value, and the sample is unsure. The evidence marks the first call beyond
    the limit of steps.

    Blind spots: prices change, and a table of them is right for its day only; what tools cost is
    not in it.
    """
    limits = {k: v for k, v in checked_rules.budget._asdict().items() if v is not None}
    if not limits:
        return Result.missing("The sample's 'trajectory_rules' set no 'budget'.")
    made = None if trajectory is None else len(trajectory)
    spent = spent_of(
        made if steps_taken is None else steps_taken, duration, response_tokens, usage, metadata
    )
    used = {name: getattr(spent, name) for name in limits}
    unknown = [name for name, amount in used.items() if amount is None]
    over = [name for name, limit in limits.items() if name not in unknown and used[name] > limit]
    if unknown and not over:
        return Result.undecided(f"The sample does not tell its {' and '.join(unknown)}.", {})
    reasons = [f"{_amount(used[name], name)} (limit {limits[name]:g})" for name in over]
    beyond = _beyond(trajectory, limits["steps"]) if "steps" in over else []
    kept = len(limits) - len(over) - len(unknown)
    return Result(
        kept / len(limits),
        f"{kept} of {len(limits)} limits are kept"
        + (f"; it used {', '.join(reasons)}" if over else "")
        + (f"; the sample does not tell its {' and '.join(unknown)}." if unknown else "."),
        spans(beyond),
        {"spent": used, "limits": limits, "steps": listed(beyond)},
    )


def _amount(amount: float, name: str) -> str:
    """An amount with its unit: one of them in the singular, dollars by their sign."""
    if name == "usd":
        return f"{amount:.6g} USD"
    return f"{amount:.6g} {name.removesuffix('s') if amount == 1 else name}"


def _beyond(trajectory: Steps | None, limit: float) -> list[Offence]:
    """The first call past the limit of steps."""
    later = [step for step in trajectory or () if step.place >= limit]
    return [Offence(step, f"is beyond the limit of {limit:g} steps") for step in later[:1]]
