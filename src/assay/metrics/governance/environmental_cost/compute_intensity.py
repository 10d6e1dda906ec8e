from typing import Literal

from assay.core import MissingExtraError, Result, metric
from assay.data.prices import known_flop_per_token, maintained_flop_per_token
from assay.features.usage import CallUsage, inverted, priced, spent

FLOP_LIMIT = 1e15
"""The source divides by 1e12, which makes every call of two tokens score 0; this spreads them."""
Figures = Literal["documented", "ecologits"]


def score(flop: float | None, flop_limit: float = FLOP_LIMIT) -> float | None:
    """1 for a call that computes nothing, falling to 0 at the limit."""
    return None if flop is None else inverted(flop, flop_limit)


def flop(
    tokens: int | None,
    flop_per_token: float | None = None,
    model: str | None = None,
    figures: Figures = "documented",
    default_flop_per_token: float = 0.0,
) -> float | None:
    """Floating-point operations of a call; None without tokens or without a figure."""
    known = known_flop_per_token if figures == "documented" else maintained_flop_per_token
    if flop_per_token is None and model is not None:
        flop_per_token = known(model)
    if flop_per_token is None:
        flop_per_token = default_flop_per_token or None
    return None if tokens is None or flop_per_token is None else tokens * flop_per_token


@metric(
    id="governance.compute_intensity",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
    steps={"flop": flop},
)
def compute_intensity(
    usage: CallUsage,
    query: str | None,
    response: str | None,
    response_tokens: int | None,
    *,
    flop_limit: float = FLOP_LIMIT,
    figures: Figures = "documented",
    default_flop_per_token: float = 0.0,
) -> Result:
    """How little compute the call used.

        flop  = (prompt_tokens + completion_tokens) · FLOP per token of the model
        value = 1 − min(flop / flop_limit, 1)

    Tokens come from the metadata, or are estimated as in `governance.inference_cost` and marked as
    imputed. FLOP per token are those of `figures`: the built-in table, or two for each active
    parameter as ecologits (extra `cost`) estimates them. A model without a figure is `missing`,
    unless `default_flop_per_token` gives one.

    Blind spots: makers do not publish these figures, so all are estimates; prompt tokens count as
    much as generated ones, and cached prompts as much as new ones.
    """
    tokens = spent(usage, query, response, response_tokens)
    if isinstance(tokens, Result):
        return tokens
    try:
        total_flop = flop(tokens.total, None, usage.model, figures, default_flop_per_token)
    except MissingExtraError as error:
        return Result.missing(f"{error}.")
    if total_flop is None:
        return Result.missing(
            f"No FLOP per token are known for the model {usage.shown_model}; "
            "set them with the option 'default_flop_per_token'."
        )
    explanation = (
        f"{tokens.total} tokens of {usage.shown_model} take {total_flop:.3g} of "
        f"{flop_limit:.3g} FLOP"
    )
    details = {"flop": total_flop, "model": usage.model, "figures": figures}
    return priced(score(total_flop, flop_limit), explanation, tokens, details)
