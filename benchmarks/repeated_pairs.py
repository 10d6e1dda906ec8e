"""How often a comparison finds a change of the pass rate where there is none, with repeats.

`python -m benchmarks.repeated_pairs` prints the table of docs/how-to/repeats.md. Two systems have
chances to pass of the same distribution, beta(2, 2), drawn for each question and system by itself:
neither is better. Each question is answered ten times. The same numbers come out every time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.score_table import PASS_RATE
from assay.runner.sides import By, SampleView, ScoredSample
from assay.stats.power import ALPHA

ANSWERS = 10
SIZES = (10, 30)
TRIALS = 400
"""19 times of 20, a share of 5 % is then found as 3 to 7 %."""
METRIC = "made.passed"


class SimulatedSide:
    """A run of one pass/fail metric; its answers may hide that they share a question."""

    def __init__(self, passes: Any, *, has_questions: bool) -> None:
        self.name, self.weights, self.gating, self.unread = "simulated", {}, {METRIC}, 0
        self.signatures: dict[str, str] = {METRIC: f"{METRIC}|v:1"}
        self.thresholds: dict[str, float | None] = {METRIC: None}
        self.notes: list[str] = []
        self._passes, self._has_questions = passes, has_questions

    def read(self, by: By) -> Iterator[ScoredSample]:
        """All answers."""
        for question, answers in enumerate(self._passes.tolist()):
            for number, passed in enumerate(answers):
                named = f"q{question}" if self._has_questions else None
                scores = {METRIC: (float(passed), passed)}
                key = named or f"q{question}#{number}"
                yield ScoredSample(key, scores, float(passed), passed, named)

    def show(self, places: Iterable[int]) -> dict[int, SampleView]:
        """No texts."""
        return {}


def false_alarms(questions: int, *, has_questions: bool, trials: int = TRIALS) -> float:
    """Per cent of pairs of equally good systems whose pass rates seem to differ."""
    alarms = 0
    for seed in range(trials):
        generator = np.random.default_rng(seed)
        sides = [
            SimulatedSide(_passes(generator, questions), has_questions=has_questions)
            for _ in range(2)
        ]
        options = CompareOptions(known={}, samples=0, seed=seed, correction="none")
        changes = compare_runs(sides[0], sides[1], options).metrics
        p = next(change.p for change in changes if change.metric == PASS_RATE)
        alarms += p is not None and p <= ALPHA
    return 100 * alarms / trials


def _passes(generator: np.random.Generator, questions: int) -> Any:
    """Which answers to each question pass."""
    chances = generator.beta(2, 2, questions)
    return generator.random((questions, ANSWERS)) < chances[:, None]


def main() -> None:
    """Print the table."""
    print("| questions | questions are pairs | answers are pairs |")
    print("|---:|---:|---:|")
    for size in SIZES:
        cells = [false_alarms(size, has_questions=known) for known in (True, False)]
        print(f"| {size} |", " | ".join(f"{cell:.1f}" for cell in cells), "|", flush=True)


if __name__ == "__main__":
    main()
