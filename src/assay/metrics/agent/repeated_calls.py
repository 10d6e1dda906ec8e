from assay.core import Result, metric
from assay.features.trajectory import Steps, listed, named, spans
from assay.scoring.repetition import needless_repeats


@metric(
    id="agent.repeated_calls",
    inputs=("tool_calls",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    aliases=("redundant_calls", "duplicate_calls"),
)
def repeated_calls(trajectory: Steps) -> Result:
    """How many calls request again what the agent already has.

    A call repeats an earlier one when tool and arguments are the same, the earlier one did not
    fail, and no tool was called in between that may change something. A tool only reads when its
    name begins with a verb such as get, search or list (`data/tool_names.toml`); a call of any
    other tool counts as a change, but making that same call twice in a row is a repeat.

        value = calls that repeat an earlier one / calls

    The evidence marks the repeats, each with the call that it repeats.

    Blind spots: a question whose answer changes by itself (a price, a queue) may be asked again
    with reason, and the name of a tool may not tell what it does.
    """
    repeats = needless_repeats(trajectory)
    first = f"; {named(repeats[0].step)} {repeats[0].problem}" if repeats else ""
    return Result(
        len(repeats) / len(trajectory),
        f"{len(repeats)} of {len(trajectory)} calls repeat an earlier one{first}.",
        spans(repeats),
        {"steps": listed(repeats)},
    )
