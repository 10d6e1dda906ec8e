from collections.abc import Mapping
from typing import Any, Literal

from assay.core import MissingExtraError, Result, metric
from assay.data.prices import WORLD, maintained_energy, maintained_version, price_table
from assay.features.usage import CallUsage, inverted, priced, spent

KWH_LIMIT = 0.04
"""What 1e15 FLOP take by the documented factor; the source's 0.001 makes most calls score 0."""
Figures = Literal["documented", "ecologits"]


def score(kwh: float | None, kwh_limit: float = KWH_LIMIT) -> float | None:
    """1 for a call that takes no energy, falling to 0 at the limit."""
    return None if kwh is None else inverted(kwh, kwh_limit)


def kwh(flop: float | None, kwh_per_tflop: float | None = None) -> float | None:
    """The energy of so many floating-point operations."""
    factor = price_table().kwh_per_tflop if kwh_per_tflop is None else kwh_per_tflop
    return None if flop is None else flop / 1e12 * factor


@metric(
    id="governance.energy_consumption",
    inputs=(),
    range=(0.0, 1.0),
    polarity="higher",
    formula=score,
    steps={"kwh": kwh},
)
def energy_consumption(
    scores: Mapping[str, Result],
    usage: CallUsage,
    query: str | None,
    response: str | None,
    response_tokens: int | None,
    duration: float | None,
    *,
    metrics: tuple[str, ...] = ("governance.compute_intensity",),
    kwh_limit: float = KWH_LIMIT,
    figures: Figures = "documented",
    kwh_per_tflop: float | None = None,
    zone: str = WORLD,
) -> Result:
    """How little energy the call used.

        kwh   = flop / 1e12 · kwh_per_tflop      (0.00004 in the document)
        value = 1 − min(kwh / kwh_limit, 1)

    FLOP are those of `governance.compute_intensity`, and so is the state: missing for an unknown
    model, imputed for estimated tokens. With `figures = "ecologits"` (extra `cost`) the energy is
    the middle of the range that ecologits gives for the answer's tokens, its `duration` and the
    electricity of `zone`; the range is in the details.

    Blind spots: the Endurance specification's factor, 144 joules for a TFLOP, is far above current
    hardware; no maker publishes its own figures, so every number is an estimate, good for comparing
    calls.
    """
    if figures == "ecologits":
        return _maintained(usage, (query, response, response_tokens), duration, zone, kwh_limit)
    (compute,) = scores.values()
    energy = kwh(compute.details.get("flop"), kwh_per_tflop)
    if energy is None:
        return compute
    estimated = "; the tokens are estimated" if compute.state == "imputed" else ""
    return Result(
        score(energy, kwh_limit),
        f"{compute.details['flop']:.3g} FLOP take {energy:.3g} of {kwh_limit:g} kWh{estimated}.",
        details={"kwh": energy, "figures": figures, "estimated": bool(estimated)},
        state=compute.state,
    )


def _maintained(
    usage: CallUsage, texts: tuple[Any, ...], duration: float | None, zone: str, limit: float
) -> Result:
    """The score by the figures of ecologits."""
    tokens = spent(usage, *texts)
    if isinstance(tokens, Result):
        return tokens
    try:
        energy = maintained_energy(usage.model, tokens.completion, duration, zone)
    except MissingExtraError as error:
        return Result.missing(f"{error}.")
    if energy is None:
        return Result.missing(f"The energy of the model {usage.shown_model} is not estimated.")
    middle = (energy.low + energy.high) / 2
    explanation = (
        f"{tokens.completion} completion tokens of {usage.shown_model} take {energy.low:.3g} to "
        f"{energy.high:.3g} of {limit:g} kWh"
    )
    details = {
        "kwh": middle,
        "kwh_range": [energy.low, energy.high],
        "warnings": list(energy.warnings),
        "figures": maintained_version("ecologits"),
    }
    return priced(inverted(middle, limit), explanation, tokens, details)
