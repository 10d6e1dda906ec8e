from assay.core import Result, metric
from assay.scoring.timing import (
    CHARS_PER_TOKEN,
    TimingWording,
    by_tokens,
    token_count,
    token_result,
)

WORDING = TimingWording(
    counted="{tokens} tokens in {duration} s.",
    estimated="About {tokens} tokens, estimated by length, in {duration} s.",
    absent="The sample has no tokens or no time to divide them by.",
)


@metric(
    id="chat.throughput",
    inputs=("duration",),
    range=(0.0, None),
    polarity="higher",
    unit="tokens/s",
)
def throughput(
    duration: float,
    response_tokens: int | None,
    response: str | None,
    *,
    chars_per_token: float = CHARS_PER_TOKEN,
) -> Result:
    """How many tokens were generated per second.

        value = tokens / duration

    It is 1000 / `chat.token_latency`. Without a number of tokens it is estimated, as characters /
    `chars_per_token` (3.5) cut to a whole number and at least 1, and the score is marked as
    imputed. A duration of 0, no tokens, or neither tokens nor response give no score. The documents
    call 50 tokens a second good and 10 bad.

    Blind spots: one answer's speed, not what the system does under load; short answers look slow
    because waiting for the first token counts.
    """
    tokens = token_count(response_tokens, response, chars_per_token)
    value = by_tokens(lambda seconds, number: number / seconds, duration, tokens)
    return token_result(value, duration, tokens, WORDING)
