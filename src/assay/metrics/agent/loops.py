from assay.core import Result, metric
from assay.features.trajectory import Offence, Steps, listed, named, spans
from assay.scoring.repetition import cycles


@metric(
    id="agent.loops",
    inputs=("tool_calls",),
    range=(0.0, 1.0),
    polarity="lower",
    threshold=0.0,
    aliases=("loop_detection",),
)
def loops(trajectory: Steps) -> Result:
    """How much of the agent's trajectory is loops.

    A loop is a row of 1 to 10 calls, each with the same tool and arguments, that is made three
    times or more in direct succession, whether the calls failed or not:

        value = calls that lie in loops / calls

    The evidence marks where each loop begins again for the first time.

    Blind spots: a circle in which an argument changes, such as a counter, is not found, and polling
    for a result that takes time looks the same as a loop.
    """
    repeated = cycles(trajectory)
    turns = [
        Offence(
            trajectory[one.start + one.length],
            f"begins {one.length} {'call' if one.length == 1 else 'calls'} again, "
            f"made {one.rounds} times in a row",
        )
        for one in repeated
    ]
    inside = sum(one.length * one.rounds for one in repeated)
    first = f"; {named(turns[0].step)} {turns[0].problem}" if turns else ""
    return Result(
        inside / len(trajectory),
        f"{inside} of {len(trajectory)} calls lie in loops{first}.",
        spans(turns),
        {"steps": listed(turns)},
    )
