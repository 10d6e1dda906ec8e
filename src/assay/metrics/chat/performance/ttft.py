from assay.core import Result, metric
from assay.scoring.timing import milliseconds


@metric(
    id="chat.ttft",
    inputs=("first_token_time",),
    range=(0.0, None),
    polarity="lower",
    unit="ms",
)
def ttft(first_token_time: float) -> Result:
    """How long the first token took.

        value = time to the first token in seconds · 1000

    It is never estimated from the duration. The PyAI-Slayer guide's target is at most 300 ms.

    Blind spots: a system that sends a blank or "Let me see" at once looks quick.
    """
    value = milliseconds(first_token_time)
    return Result(value, f"The first token came after {value:.6g} ms.")
