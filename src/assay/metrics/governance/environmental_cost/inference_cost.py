from collections.abc import Mapping
from typing import Any

from assay.core import MissingExtraError, Result, metric
from assay.data.prices import maintained_version, price_table
from assay.features.usage import CallUsage, inverted, priced, spent
from assay.scoring.call_cost import Prices, usd

USD_LIMIT = 0.01
"""The documented normaliser: a call of one cent scores 0."""


def score(usd: float | None, usd_limit: float = USD_LIMIT) -> float | None:
    """1 for a call that costs nothing, falling to 0 at the limit."""
    return None if usd is None else inverted(usd, usd_limit)


@metric(
    id="governance.inference_cost",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
    steps={"usd": usd},
)
def inference_cost(
    usage: CallUsage,
    query: str | None,
    response: str | None,
    response_tokens: int | None,
    *,
    usd_limit: float = USD_LIMIT,
    prices: Prices = "documented",
    default_price: Mapping[str, float] | None = None,
    model_prices: Mapping[str, Mapping[str, float]] | None = None,
) -> Result:
    """How little the call cost.

        usd   = prompt_tokens / 1e6 · input price + completion_tokens / 1e6 · output price
        value = 1 − min(usd / usd_limit, 1)

    The metadata give `model`, `prompt_tokens` and `completion_tokens`. Tokens that were not counted
    are estimated from the query and the response, as characters // 4 and at least 1, and the score
    is marked as imputed. Prices are those of `prices`: the built-in table, or the maintained
    package genai-prices of the extra `cost`. A model without a price is `missing`, unless
    `model_prices` (by model) or `default_price` give one, each as `{input, output}` in USD per
    million tokens.

    Blind spots: an estimate leaves out instructions and retrieved documents, which are often the
    largest part of a prompt; the built-in prices are dated; cached and batched calls cost less.
    """
    tokens = spent(usage, query, response, response_tokens)
    if isinstance(tokens, Result):
        return tokens
    try:
        cost = usd(
            tokens.prompt, tokens.completion, usage.model, prices, default_price, model_prices
        )
    except MissingExtraError as error:
        return Result.missing(f"{error}.")
    if cost is None:
        return Result.missing(
            f"No price is known for the model {usage.shown_model}; "
            "set one with the option 'model_prices' or 'default_price'."
        )
    explanation = (
        f"{tokens.prompt} prompt and {tokens.completion} completion tokens of "
        f"{usage.shown_model} cost {cost:.6g} of {usd_limit:g} USD"
    )
    details: dict[str, Any] = {"usd": cost, "model": usage.model, "prices": _source(prices)}
    return priced(score(cost, usd_limit), explanation, tokens, details)


def _source(prices: Prices) -> str:
    """Which table was asked, with its date or version."""
    if prices == "genai-prices":
        return maintained_version(prices)
    return f"{prices} {price_table().date.isoformat()}"
