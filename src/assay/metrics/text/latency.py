from assay.core import Result, metric


@metric(
    id="text.latency",
    inputs=("duration",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.50,
)
def latency(duration: float, *, limit_ms: float = 5000.0) -> Result:
    """How well the answer's duration stays within a limit.

        value = 1 up to limit_ms, falling to 0 at twice the limit

    Blind spots: one total time; how soon the first words came is not seen.
    """
    limit = limit_ms / 1000
    return Result(
        min(1.0, max(0.0, 2.0 - duration / limit)),
        f"{duration:.6g} s of {limit:.6g} s.",
    )
