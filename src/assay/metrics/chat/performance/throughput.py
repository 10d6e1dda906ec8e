from assay.core import Result, metric, rule
from assay.features.timing import CHARS_PER_TOKEN, finite, token_count


@rule("chat.throughput")
def tokens_a_second(
    duration: float | None,
    response_tokens: int | None = None,
    response: str | None = None,
    chars_per_token: float = CHARS_PER_TOKEN,
) -> float | None:
    """Tokens a second; None without time or tokens."""
    tokens = token_count(response_tokens, response, chars_per_token)
    if not duration or not tokens or not tokens.number:
        return None
    return finite(tokens.number / duration)


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
    """How many tokens came in a second.

        value = tokens / duration

    It is 1000 / `chat.token_latency`. Without a number of tokens it is estimated, as characters /
    `chars_per_token` (3.5) cut to a whole number and at least 1, and the score is marked as
    imputed. A duration of 0, no tokens, or neither tokens nor response give no score. The documents
    call 50 tokens a second good and 10 bad.

    Blind spots: one answer's speed, not what the system does under load; short answers look slow
    because waiting for the first token counts.
    """
    value = tokens_a_second(duration, response_tokens, response, chars_per_token)
    tokens = token_count(response_tokens, response, chars_per_token)
    if value is None or tokens is None:
        return Result.missing("The sample has no tokens or no time to divide them by.")
    if tokens.is_estimated:
        return Result.imputed(
            value, f"About {tokens.number} tokens, estimated by length, in {duration:.6g} s."
        )
    return Result(value, f"{tokens.number} tokens in {duration:.6g} s.")
