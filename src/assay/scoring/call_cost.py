"""What a call of a model costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from assay.data.prices import known_price, maintained_usd, price_of, price_table

Prices = Literal["documented", "genai-prices"]


def usd(
    prompt_tokens: int | None,
    completion_tokens: int | None,
    model: str | None,
    prices: Prices = "documented",
    default_price: Mapping[str, float] | None = None,
    model_prices: Mapping[str, Mapping[str, float]] | None = None,
) -> float | None:
    """What a call costs in USD; None for absent counts and for a model without a price."""
    if prompt_tokens is None or completion_tokens is None or model is None:
        return None
    own = {
        name.lower(): price_of(given, f"the price of {name!r}")
        for name, given in (model_prices or {}).items()
    }
    price = known_price(own, model)
    if price is None and prices == "genai-prices":
        maintained = maintained_usd(model, prompt_tokens, completion_tokens)
        if maintained is not None:
            return maintained
    elif price is None:
        price = known_price(price_table().prices, model)
    if price is None and default_price is not None:
        price = price_of(default_price, "'default_price'")
    return None if price is None else price.cost(prompt_tokens, completion_tokens)
