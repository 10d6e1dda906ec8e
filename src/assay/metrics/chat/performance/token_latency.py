from assay.core import Result, metric
from assay.scoring.timing import (
    CHARS_PER_TOKEN,
    TimingWording,
    by_tokens,
    token_count,
    token_result,
)

WORDING = TimingWording(
    counted="{duration} s for {tokens} tokens.",
    estimated="{duration} s for about {tokens} tokens, estimated by length.",
    absent="The sample has no time or no tokens to divide it by.",
)


@metric(
    id="chat.token_latency",
    inputs=("duration",),
    range=(0.0, None),
    polarity="lower",
    unit="ms/token",
)
def token_latency(
    duration: float,
    response_tokens: int | None,
    response: str | None,
    *,
    chars_per_token: float = CHARS_PER_TOKEN,
) -> Result:
    """How long a token took on average.

        value = duration / tokens · 1000

    Without a number of tokens it is estimated, as characters / `chars_per_token` (3.5) cut to a
    whole number and at least 1, and the score is marked as imputed. A duration of 0, no tokens, or
    neither tokens nor response give no score. The documents call 50 ms good and 200 ms bad.

    Blind spots: the time to the first token is spread over all of them, so short answers look slow;
    the estimate suits English and is far off for other scripts.
    """
    tokens = token_count(response_tokens, response, chars_per_token)
    value = by_tokens(lambda seconds, number: seconds / number * 1000, duration, tokens)
    return token_result(value, duration, tokens, WORDING)
