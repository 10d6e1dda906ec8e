"""How often the card of biases finds a planted bias, and how often it finds one that is not there.

`python -m benchmarks.judge_biases` prints the table of docs/how-to/judge.md. A scripted judge
grades answers from 1 to 5: what the answer is worth (good 4, poor 2), a deviate of its own for
every text, and, where it has a bias, a push by the cue. Pairs are decided by the same grades, with
the push for the first place. Texts are not sent anywhere: tests/runner/test_judge_biases.py does
that.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.data.judge_biases import POSITION, bias_probes, plain_answers
from assay.runner.judge_biases import bias_rows

SEEDS = 500
NOISE = 0.7
"""The standard deviation of a judge's grade around what an answer is worth, in grades."""
STEPS = 4
"""From the lowest grade to the highest."""
PUSHES = (0.5, 1.0, 2.0)
"""Strengths of a planted bias, in grades."""


def biases() -> list[str]:
    """All kinds of bias, position first."""
    return [POSITION, *dict.fromkeys(probe.bias for probe in bias_probes())]


def differences(pushes: Mapping[str, float], generator: Any) -> dict[str, Sequence[float]]:
    """What the cues do to the verdicts of a judge with these biases."""
    worth = np.array([4.0, 2.0] * (len(plain_answers()) // 2))

    def graded(push: float) -> Any:
        felt = worth + push + NOISE * generator.standard_normal(len(worth))
        return np.clip(np.round(felt), 1, 5)

    plain = graded(0.0)
    made: dict[str, Sequence[float]] = {}
    for bias in biases():
        push = pushes.get(bias, 0.0)
        if bias == POSITION:
            places = [np.sign(graded(push) - graded(0.0)) / 2 + 0.5 for _ in range(2)]
            made[bias] = (places[0] - (1 - places[1])).tolist()
        else:
            made[bias] = ((graded(push) - plain) / STEPS).tolist()
    return made


def found(pushes: Mapping[str, float], seed: int) -> set[str]:
    """The biases that the card finds in one judge."""
    rows = bias_rows(differences(pushes, np.random.default_rng(seed)))
    return {row.bias for row in rows if row.is_found}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge_biases", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS, help="simulated judges of a cell")
    seeds = parser.parse_args().seeds
    alarms = [found({}, seed) for seed in range(seeds)]
    share = 100 * sum(map(bool, alarms)) / seeds
    print(f"No bias planted: some bias is found in {share:.1f} % of {seeds} judges.\n", flush=True)
    heads = (f"{push:g} grade{'s' if push != 1 else ''}" for push in PUSHES)
    print("| planted bias |", " | ".join(heads), "| others found |")
    print("|---|" + "---:|" * (len(PUSHES) + 1))
    for bias in biases():
        judged = [[found({bias: push}, seed) for seed in range(seeds)] for push in PUSHES]
        cells = [f"{100 * sum(bias in one for one in many) / seeds:.1f} %" for many in judged]
        others = sum(bool(one - {bias}) for many in judged for one in many)
        wrong = f"{100 * others / seeds / len(PUSHES):.1f} %"
        print(f"| {bias} |", " | ".join([*cells, wrong]), "|", flush=True)


if __name__ == "__main__":
    main()
