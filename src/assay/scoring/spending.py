"""What an agent's run has used: steps, tokens, seconds and money, as far as its sample tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from assay.data.prices import known_price, price_table
from assay.features.usage import MAX_TOKENS, CallUsage

_TOTAL = "total_tokens"
_COSTS = ("cost", "cost_usd", "total_cost_usd")


class Spent(NamedTuple):
    """What was used; None where the sample does not tell."""

    steps: float | None
    tokens: float | None
    seconds: float | None
    usd: float | None


def spent_of(
    steps: int | None,
    duration: float | None,
    response_tokens: int | None,
    usage: CallUsage | None,
    metadata: Mapping[str, Any] | None,
) -> Spent:
    """The amounts that the fields and the metadata of a sample tell; nothing is estimated."""
    given = metadata or {}
    prompt = usage.prompt_tokens if usage else None
    completion = usage.completion_tokens if usage else None
    completion = response_tokens if completion is None else completion
    is_known = prompt is not None and completion is not None
    total = _amount(given.get(_TOTAL))
    if total is None and is_known:
        total = float((prompt or 0) + (completion or 0))
    usd = stated_cost(given)
    if usd is None and usage and usage.model and is_known:
        price = known_price(price_table().prices, usage.model)
        usd = None if price is None else price.cost(prompt or 0, completion or 0)
    return Spent(steps, total, duration, usd)


def stated_cost(metadata: Mapping[str, Any]) -> float | None:
    """The cost in USD that the metadata state; None where they state none."""
    costs = (_amount(metadata.get(name)) for name in _COSTS)
    return next((cost for cost in costs if cost is not None), None)


def _amount(given: Any) -> float | None:
    """A number of 0 or more; None for anything else."""
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return float(given) if is_number and 0 <= given <= MAX_TOKENS else None
