from assay.core import Result, metric
from assay.scoring.timing import milliseconds


@metric(
    id="chat.e2e_latency",
    inputs=("duration",),
    range=(0.0, None),
    polarity="lower",
    unit="ms",
)
def e2e_latency(duration: float) -> Result:
    """How long the whole answer took.

        value = duration in seconds · 1000

    The PyAI-Slayer guide's target is at most 2000 ms.

    Blind spots: long answers take longer, so it falls when answers get shorter; waiting in queues
    and the network are part of it.
    """
    value = milliseconds(duration)
    return Result(value, f"The answer took {value:.6g} ms.")
