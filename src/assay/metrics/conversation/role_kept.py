from assay.core import Result, metric
from assay.features.turns import Turns, by, signs_of


@metric(
    id="conversation.role_kept",
    inputs=("conversation",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=1.0,
    aliases=("role_adherence",),
)
def role_kept(turns: Turns) -> Result:
    """Whether the assistant stays in its role.

    It leaves it where it speaks of itself as a language model, of its instructions, or writes the
    user's part as well (`role_breaks`):

        value = 1 − turns of the assistant that leave the role / turns of the assistant

    The evidence marks the words.

    Blind spots: whether tone and knowledge fit the role is not looked at; a system whose role is to
    be an AI may say so. Ask a judge with a rubric of your own for more.
    """
    own = by("assistant", turns)
    if not own:
        return Result.missing("The conversation has no turn of the assistant.")
    out = [turn for turn in own if turn.signs.get("role_break")]
    return Result(
        1.0 - len(out) / len(own),
        f"{len(out)} of {len(own)} turns of the assistant leave its role.",
        signs_of(out, "role_break"),
    ).limited()
