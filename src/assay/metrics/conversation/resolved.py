from assay.core import Result, metric
from assay.features.turns import Turns, by
from assay.scoring.dialogue import ending


@metric(
    id="conversation.resolved",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    version=3,
    aliases=("conversation_completeness",),
)
def resolved(turns: Turns) -> Result:
    """Whether the user says in the end that they have what they wanted.

    The last turn of the user decides: a phrase of `frustration` or `unresolved` ("never mind",
    "that does not help") says no, otherwise one of `resolution` ("thanks", "that's all") says yes:

        value = 1 for yes, 0 for no

    Where the last turn says neither, asks something, or goes on with "but", there is no value.

    Blind spots: people say thanks out of politeness too, and many leave without a word.
    `judge.goal_reached` reads the whole conversation.
    """
    own = by("user", turns)
    if not own:
        return Result.missing("The conversation has no turn of the user.")
    last, end = own[-1], ending(own[-1])
    if end == "discontent":
        signs = [*last.signs.get("frustration", ()), *last.signs.get("unresolved", ())]
        return Result(0.0, "The user's last turn shows that they are not content.", sorted(signs))
    if end == "content":
        thanks = last.signs["resolution"]
        return Result(1.0, "The user's last turn shows that they are content.", thanks)
    return Result.missing("The user's last turn does not tell.")
