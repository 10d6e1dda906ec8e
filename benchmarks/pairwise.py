"""How often the 95 % intervals of a Bradley–Terry ranking hold the true strengths.

`python -m benchmarks.pairwise` prints the table of docs/how-to/rank.md. Verdicts follow Davidson's
model. For two systems the chances of all results are added up, so the figure is exact; for more,
rankings are simulated. Where answers to one question are alike, each answer has a quality of its
own (a normal deviate with that standard deviation), which all verdicts on it share; the truth is
then the strength that fits the mean chances of all pairs.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from math import lgamma
from typing import Any

import numpy as np

from assay.stats.davidson import chances, fit_arrays, highest
from assay.stats.intervals import Z

SEED = 20261116
TRIALS = 1000
SIZES = (10, 30, 100)
LOW, HIGH = 93.0, 97.0
STRENGTHS = {
    "two, close": (0.3, -0.3),
    "two, far apart": (1.0, -1.0),
    "three": (0.8, 0.0, -0.8),
    "five": (1.0, 0.5, 0.0, -0.5, -1.0),
}
TIES = {"few ties": -1.0, "many ties": 0.5}
ALIKE = {"independent": 0.0, "alike within a question": 1.5}
DRAWS = 20_000
"""Questions that the truth of alike answers is averaged over."""
Array = Any


def coverage(
    strengths: tuple[float, ...], tie: float, alike: float, questions: int, trials: int
) -> float:
    """Per cent of the systems' intervals that hold the true strength."""
    if len(strengths) == 2:
        return exact_coverage(strengths, tie, alike, questions)
    truth = true_strengths(strengths, tie, alike)
    firsts, seconds = np.array([*combinations(range(len(strengths)), 2)]).T
    generator = np.random.default_rng(SEED)
    contrasts = np.eye(len(strengths)) - 1 / len(strengths)
    rows = np.repeat(np.arange(questions), len(firsts))
    held = []
    for _ in range(trials):
        scores = drawn(strengths, tie, alike, questions, generator)
        fit = fit_arrays(
            len(strengths), rows, np.tile(firsts, questions), np.tile(seconds, questions), scores
        )
        held += [abs(fit.deviation(c, float(c @ truth))) <= Z for c in contrasts]
    return 100 * sum(held) / len(held)


def exact_coverage(strengths: tuple[float, ...], tie: float, alike: float, questions: int) -> float:
    """The same of two systems: the chances of all results whose interval holds the truth."""
    logs = np.log(mean_chances(strengths, tie, alike)[0, 1])
    truth = float(logs[0] - logs[1]) / 2
    held = 0.0
    for wins in range(questions + 1):
        for losses in range(questions + 1 - wins):
            counts = np.array([wins, losses, questions - wins - losses])
            if abs(_deviation(counts, truth)) <= Z:
                ways = lgamma(questions + 1) - sum(lgamma(n + 1) for n in counts)
                held += float(np.exp(ways + counts @ logs))
    return 100 * held


def _deviation(counts: Array, truth: float) -> float:
    """How far the strength of the first of two systems lies above the truth."""
    total, scores = int(counts.sum()), np.repeat([1.0, 0.0, 0.5], counts)
    firsts = np.zeros(total, int)
    fit = fit_arrays(2, np.arange(total), firsts, firsts + 1, scores)
    return fit.deviation(np.array([0.5, -0.5]), truth)


def drawn(
    strengths: tuple[float, ...], tie: float, alike: float, questions: int, generator: Any
) -> Array:
    """The scores of all pairs of all questions."""
    own = np.array(strengths) + alike * generator.standard_normal((questions, len(strengths)))
    firsts, seconds = np.array([*combinations(range(len(strengths)), 2)]).T
    wins, losses, _ = chances(own[:, firsts] - own[:, seconds], tie)
    chance = generator.random(wins.shape)
    return np.where(chance < wins, 1.0, np.where(chance < wins + losses, 0.0, 0.5)).ravel()


def true_strengths(strengths: tuple[float, ...], tie: float, alike: float) -> Array:
    """The strengths that fit the mean chances of all pairs."""
    return highest(1000 * mean_chances(strengths, tie, alike)).parameters[:-1]


def mean_chances(strengths: tuple[float, ...], tie: float, alike: float) -> Array:
    """The chances of win, loss and tie of each pair over all questions."""
    generator = np.random.default_rng(SEED)
    own = np.array(strengths) + alike * generator.standard_normal((DRAWS, len(strengths)))
    found = np.zeros((len(strengths), len(strengths), 3))
    for one, other in combinations(range(len(strengths)), 2):
        found[one, other] = np.mean(chances(own[:, one] - own[:, other], tie), axis=1)
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pairwise", description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS, help="simulated rankings of a cell")
    trials = parser.parse_args().trials
    print("| systems | ties | answers |", " | ".join(f"{n} questions" for n in SIZES), "|")
    print("|---|---|---|" + "---:|" * len(SIZES))
    for name, strengths in STRENGTHS.items():
        for ties, tie in TIES.items():
            for answers, alike in ALIKE.items():
                cells = [f"{coverage(strengths, tie, alike, n, trials):.1f}" for n in SIZES]
                print(f"| {name} | {ties} | {answers} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
