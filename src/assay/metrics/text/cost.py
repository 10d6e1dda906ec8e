from assay.core import Result, metric
from assay.features import Normal

TOKENS_PER_WORD = 1.3
"""The estimate of the evaluator guide's source."""


@metric(
    id="text.cost",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    threshold=0.50,
)
def cost(
    response_normal: Normal, *, usd_per_1000_tokens: float = 0.002, budget_usd: float = 0.01
) -> Result:
    """How well the response's estimated price stays within a budget.

        tokens = words · 1.3,   usd = tokens / 1000 · usd_per_1000_tokens
        value  = 1 within budget_usd, falling to 0 at twice that

    Blind spots: tokens are estimated from words, the query's tokens are not priced, and one price
    stands for all models.
    """
    tokens = response_normal.word_count * TOKENS_PER_WORD
    usd = tokens / 1000 * usd_per_1000_tokens
    return Result(
        min(1.0, max(0.0, 2.0 - usd / budget_usd)),
        f"About {tokens:.0f} tokens cost {usd:.6f} USD of {budget_usd} USD.",
        details={"tokens": tokens, "usd": usd},
    )
