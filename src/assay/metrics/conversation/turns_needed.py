from assay.core import Result, metric
from assay.core.wording import counted
from assay.features.turns import Turns, by
from assay.scoring.dialogue import ending


@metric(
    id="conversation.turns_needed",
    inputs=("conversation",),
    range=(0.0, None),
    polarity="lower",
    unit="turns",
    version=3,
    aliases=("turn_count",),
)
def turns_needed(turns: Turns) -> Result:
    """How many turns the user needed.

        value = turns of the user before the first that is content, as in
                `conversation.resolved`, else all

    Blind spots: thanks in between count as the end, and more turns are not worse where a matter
    needs them.
    """
    own = by("user", turns)
    if not own:
        return Result.missing("The conversation has no turn of the user.")
    needed = next((n for n, t in enumerate(own) if n and ending(t) == "content"), len(own))
    end = "until they were content" if needed < len(own) else "in all"
    return Result(float(needed), f"The user needed {counted(needed, 'turn')} {end}.")
