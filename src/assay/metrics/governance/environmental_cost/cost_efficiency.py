from collections.abc import Mapping

from assay.core import Result, Span, metric
from assay.features import Hits, Normal
from assay.features.proper_names import ProperNames

USD_LIMIT = 0.01
"""The documented normaliser of the cost."""


def efficiency(
    value: float | None, cost: float | None, usd_limit: float = USD_LIMIT
) -> float | None:
    """Value by normalised cost, at most 1; 1 for what costs nothing, None where one is absent."""
    if value is None or cost is None:
        return None
    if cost <= 0:
        return 1.0
    share = min(cost / usd_limit, 1.0) if usd_limit > 0 else 1.0
    return min(1.0, value / share) if share else 1.0


@metric(
    id="governance.cost_efficiency",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    lexicons=("answer_signs.en",),
    languages=("en",),
    formula=efficiency,
)
def cost_efficiency(
    scores: Mapping[str, Result],
    response_normal: Normal,
    response_hits: Hits,
    response_proper_names: ProperNames,
    *,
    metrics: tuple[str, ...] = ("governance.inference_cost",),
    usd_limit: float = USD_LIMIT,
) -> Result:
    """How much the response offers for its cost.

        offer = 0.3 for 30 words (0.15 for 15) + 0.3 a number + 0.2 a name of two words
                + 0.2 "according to" or "based on"
        value = min(1, offer / min(usd / usd_limit, 1))

    The cost is that of `governance.inference_cost`, and so is the state: missing for an unknown
    model, imputed for estimated tokens. A call that costs nothing scores 1.

    Blind spots: cheap calls score 1 whatever they say, since the divisor is small; the offer is
    told by its form; English only.
    """
    (price,) = scores.values()
    usd = price.details.get("usd")
    if usd is None:
        return price
    offer, evidence = _offer(response_normal, response_hits, response_proper_names)
    value = efficiency(offer, usd, usd_limit)
    explanation = f"The response offers {offer:.2f} of 1 for {usd:.6g} of {usd_limit:g} USD"
    estimated = "; the tokens are estimated" if price.state == "imputed" else ""
    details = {"offer": offer, "usd": usd, "estimated": bool(estimated)}
    return Result(value, f"{explanation}{estimated}.", evidence, details, price.state)


def _offer(response: Normal, hits: Hits, names: ProperNames) -> tuple[float, tuple[Span, ...]]:
    """What the response offers, from 0 to 1, and the places that show it."""
    first = {span.label: span for span in reversed(hits["answer_signs.en"])}
    first |= {span.label: span for span in reversed(names)}
    weights = {"number": 0.3, "name": 0.2, "source": 0.2}
    evidence = tuple(first[sign] for sign in weights if sign in first)
    length = 0.3 if response.word_count >= 30 else 0.15 if response.word_count >= 15 else 0.0
    return length + sum(weights[span.label] for span in evidence), evidence
