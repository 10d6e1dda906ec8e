from assay.core import Result, metric
from assay.features.text_drift import TextDrift, text_psi

SIGNIFICANT = 0.25
"""From this PSI on a population counts as changed (the usual bands are 0.1 and 0.25)."""


def raw(current: str | None = None, baseline: str | None = None) -> float | None:
    """The population stability index of the words of two texts; None when one is absent."""
    return None if current is None or baseline is None else text_psi(current, baseline)


def score(
    psi: float | None = None, current: str | None = None, baseline: str | None = None
) -> float | None:
    """What a PSI, given or of two texts, leaves of the score; None without either."""
    index = raw(current, baseline) if psi is None else psi
    return None if index is None else 1.0 - min(index / SIGNIFICANT, 1.0)


@metric(
    id="governance.psi_drift",
    inputs=("response",),
    range=(0.0, 1.0),
    polarity="higher",
    aliases=("governance.psi", "psi"),
    formula=score,
    steps={"raw": raw},
)
def psi_drift(response_baseline_drift: TextDrift | None) -> Result:
    """How close the response's words are to those of a baseline response.

        PSI   = Σ (p − q) · ln(p / q)   over the words of both texts
        value = 1 − min(PSI / 0.25, 1)

    p and q are a word's shares of the response and of `metadata.baseline_response`; 0.0001 stands
    for the share of a word that is absent. Below 0.1 a text counts as stable, below 0.25 as
    moderately changed. Without a baseline there is no score. The details hold the PSI.

    Blind spots: one changed word of ten already gives a PSI of 1.38, so on single texts the score
    is nearly a switch between 1 and 0, and the order of words does not matter. `assay drift`
    compares whole populations of responses.
    """
    drift = response_baseline_drift
    if drift is None:
        return Result.missing("The sample's metadata has no 'baseline_response'.")
    return Result(
        score(drift.psi),
        f"The PSI of the words against the baseline is {drift.psi:.4g} ({drift.band}); "
        f"{drift.new} words are new and {drift.gone} are gone.",
        drift.spans,
        {"psi": drift.psi, "band": drift.band},
    ).limited(drift.new)
