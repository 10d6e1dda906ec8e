"""How often the 95 % intervals of pass@k, pass^k and consistency hold the truth.

`python -m benchmarks.repeats` prints the table of docs/how-to/repeats.md. Questions are drawn with
chances to pass of several shapes, each is answered eight times, and the interval over questions is
compared with the truth over all questions. The same numbers come out every time (seed 20261116).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb, exp, lgamma

import numpy as np

from assay.core import Interval
from assay.stats.intervals import bootstrap_mean
from assay.stats.repeats import (
    RepeatFigure,
    Repeats,
    consistency,
    pass_at_k,
    pass_hat_k,
    repeats_of,
)

SEED = 20261116
ANSWERS = 8
TRIALS = 4_000
"""Of a cell: 19 times of 20, the coverage found is within 0.7 % of the true one."""
SIZES = (20, 50, 100)
LOW, HIGH = 93.0, 97.0
"""Per cent that count as holding 95."""
Shares = tuple[float, ...]
"""Of questions with 0, 1, … passes."""


def _beta(one: float, other: float) -> Shares:
    """Chances to pass that follow a beta distribution."""

    def log_beta(a: float, b: float) -> float:
        return lgamma(a) + lgamma(b) - lgamma(a + b)

    whole = log_beta(one, other)
    return tuple(
        comb(ANSWERS, c) * exp(log_beta(c + one, ANSWERS - c + other) - whole)
        for c in range(ANSWERS + 1)
    )


def _two(share: float, common: float, rare: float) -> Shares:
    """Two kinds of questions."""
    kinds = ((share, common), (1 - share, rare))
    return tuple(
        sum(w * comb(ANSWERS, c) * p**c * (1 - p) ** (ANSWERS - c) for w, p in kinds)
        for c in range(ANSWERS + 1)
    )


SHAPES: Mapping[str, Shares] = {
    "middling, beta(2, 2)": _beta(2, 2),
    "mostly right, beta(4, 1.5)": _beta(4, 1.5),
    "right or wrong, beta(0.5, 0.5)": _beta(0.5, 0.5),
    "mostly wrong, beta(1, 4)": _beta(1, 4),
    "80 % pass with 0.95, 20 % with 0.3": _two(0.8, 0.95, 0.3),
}
FIGURES: Mapping[str, tuple[Callable[[Repeats], RepeatFigure], Callable[[int], float | None]]] = {
    "pass@1": (lambda r: r.pass_at(1), lambda c: pass_at_k(ANSWERS, c, 1)),
    "pass@3": (lambda r: r.pass_at(3), lambda c: pass_at_k(ANSWERS, c, 3)),
    "pass@5": (lambda r: r.pass_at(5), lambda c: pass_at_k(ANSWERS, c, 5)),
    "pass^3": (lambda r: r.pass_hat(3), lambda c: pass_hat_k(ANSWERS, c, 3)),
    "pass^5": (lambda r: r.pass_hat(5), lambda c: pass_hat_k(ANSWERS, c, 5)),
    "consistency": (lambda r: r.consistency(), lambda c: consistency(ANSWERS, c)),
}


def coverage(shares: Shares, questions: int, figure: str, trials: int = TRIALS) -> float:
    """Per cent of simulated runs whose interval holds the truth."""
    measured, _ = FIGURES[figure]
    truth = _truth(shares, figure)
    held = 0
    for counts in _runs(shares, questions, trials):
        interval = measured(_repeats(counts)).interval
        held += interval is not None and interval.low <= truth <= interval.high
    return 100 * held / trials


def bootstrap_coverage(shares: Shares, questions: int, figure: str, trials: int = TRIALS) -> float:
    """The same for the bootstrap over questions, which we do not use."""
    _, of_question = FIGURES[figure]
    truth, held = _truth(shares, figure), 0
    for counts in _runs(shares, questions, trials):
        values = [of_question(c) or 0.0 for c, times in enumerate(counts) for _ in range(times)]
        interval = bootstrap_mean(values, [1.0] * len(values)) or Interval(values[0], values[0])
        held += interval.low <= truth <= interval.high
    return 100 * held / trials


def _truth(shares: Shares, figure: str) -> float:
    _, of_question = FIGURES[figure]
    return sum(share * (of_question(c) or 0.0) for c, share in enumerate(shares))


def _runs(shares: Shares, questions: int, trials: int) -> list[list[int]]:
    """How many questions of each simulated run have 0, 1, … passes."""
    generator = np.random.default_rng(SEED)
    drawn: list[list[int]] = generator.multinomial(
        questions, np.array(shares) / sum(shares), trials
    ).tolist()
    return drawn


def _repeats(counts: list[int]) -> Repeats:
    found = repeats_of((ANSWERS, c) for c, times in enumerate(counts) for _ in range(times))
    assert found is not None
    return found


def main() -> None:
    """Print the table."""
    print("| chances to pass | questions |", " | ".join(FIGURES), "| pass@5 by bootstrap |")
    print("|---|---:|" + "---:|" * (len(FIGURES) + 1))
    for name, shares in SHAPES.items():
        for size in SIZES:
            cells = [f"{coverage(shares, size, figure):.1f}" for figure in FIGURES]
            cells.append(f"{bootstrap_coverage(shares, size, 'pass@5', 300):.1f}")
            print(f"| {name} | {size} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
