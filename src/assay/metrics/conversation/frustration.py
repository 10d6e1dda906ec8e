from assay.core import Result, metric
from assay.features.turns import Turns, by, signs_of


@metric(
    id="conversation.frustration",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    version=2,
    aliases=("user_frustration",),
)
def frustration(turns: Turns) -> Result:
    """How often the user shows that the conversation goes wrong for them.

        value = turns of the user with a phrase of `frustration.en` or `frustration.ar` / turns

    The evidence marks the phrases: "I already told you", "talk to a real person", and the like.

    Blind spots: short answers, silence and sarcasm are not seen, and a user may quote somebody
    else's complaint.
    """
    own = by("user", turns)
    if not own:
        return Result.missing("The conversation has no turn of the user.")
    upset = [turn for turn in own if turn.signs.get("frustration")]
    return Result(
        len(upset) / len(own),
        f"{len(upset)} of {len(own)} turns of the user show frustration.",
        signs_of(upset, "frustration"),
    ).limited()
