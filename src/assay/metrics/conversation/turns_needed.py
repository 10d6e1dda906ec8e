from assay.core import Result, metric
from assay.features.turns import Turns, by


@metric(
    id="conversation.turns_needed",
    inputs=("conversation",),
    range=(0.0, None),
    polarity="lower",
    unit="turns",
    aliases=("turn_count",),
)
def turns_needed(turns: Turns) -> Result:
    """How many turns the user needed.

        value = turns of the user before the first with a phrase of `resolution`, else all

    Blind spots: thanks in between count as the end, and more turns are not worse where a matter
    needs them.
    """
    own = by("user", turns)
    if not own:
        return Result.missing("The conversation has no turn of the user.")
    needed = next((n for n, turn in enumerate(own) if n and "resolution" in turn.signs), len(own))
    end = "until they were content" if needed < len(own) else "in all"
    return Result(float(needed), f"The user needed {needed} turns {end}.")
