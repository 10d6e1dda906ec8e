"""How often our 95 % intervals hold the truth, and how often our tests raise a false alarm.

`python -m benchmarks.coverage` prints the tables of docs/background/statistics.md;
`--write` puts them there.
The same numbers come out every time. Rates are exact sums over all outcomes; means are simulated.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import comb, exp
from pathlib import Path
from typing import NamedTuple

import numpy as np

from assay.engine.aggregate import GROUPS, QUALITY, Sums
from assay.stats import wilson
from assay.stats.paired import (
    difference_interval,
    mcnemar,
    rate_difference_interval,
    sign_flips,
)

PAGE = Path(__file__).parent.parent / "docs/background/statistics.md"
TRIALS = 2_000
"""Simulated runs of a cell: 19 times of 20, the coverage found is within 1 % of the true one."""
SIZES = (10, 20, 30, 50, 100, 300)
LOW, HIGH = 93.0, 97.0
"""Per cent that count as holding 95."""
ALPHA = 0.05
Draw = Callable[[random.Random], float]


class Shape(NamedTuple):
    """A distribution with its mean."""

    name: str
    mean: float
    draw: Draw


def _mostly(share: float, value: float, rest: Draw) -> Draw:
    """So often one value, else one of the rest."""
    return lambda rng: value if rng.random() < share else rest(rng)


SHAPES = (
    Shape("spread evenly over 0 … 1", 0.5, random.Random.random),
    Shape("bell-shaped", 0.7, lambda rng: rng.gauss(0.7, 0.1)),
    Shape("mostly near 0 or 1", 0.5, lambda rng: rng.betavariate(0.5, 0.5)),
    Shape("mostly near 1, beta(9, 1)", 0.9, lambda rng: rng.betavariate(9, 1)),
    Shape("long tail, exponential", 1.0, lambda rng: rng.expovariate(1)),
    Shape("very long tail, log-normal", exp(0.5), lambda rng: rng.lognormvariate(0, 1)),
    Shape("80 % exactly 1, the rest even", 0.9, _mostly(0.8, 1.0, random.Random.random)),
    Shape("95 % exactly 1, the rest even", 0.975, _mostly(0.95, 1.0, random.Random.random)),
)
DIFFERENCES = (
    Shape("bell-shaped", 0.02, lambda rng: rng.gauss(0.02, 0.15)),
    Shape(
        "two scores near 1",
        0.9 - 8 / 9,
        lambda rng: rng.betavariate(9, 1) - rng.betavariate(8, 1),
    ),
    Shape(
        "70 % unchanged, the rest bell-shaped",
        0.0,
        _mostly(0.7, 0.0, lambda rng: rng.gauss(0, 0.3)),
    ),
    Shape(
        "90 % unchanged, the rest bell-shaped",
        0.0,
        _mostly(0.9, 0.0, lambda rng: rng.gauss(0, 0.3)),
    ),
    Shape("70 % unchanged, the rest worse", -0.15, _mostly(0.7, 0.0, lambda rng: -rng.random())),
)
GROUPED = 5_000
"""Samples of the grouped bootstrap, five a group."""


def mean_coverage(shape: Shape, size: int, trials: int) -> float:
    """How often the interval of a mean holds it; samples go to groups as a run deals them."""
    rng = random.Random(f"{shape.name} {size}")
    held = 0
    for _ in range(trials):
        sums = Sums()
        groups = [place % GROUPS for place in range(size)]
        sums.add(groups, [shape.draw(rng) for _ in range(size)])
        held += _holds(sums.interval(QUALITY, seed=0), shape.mean)
    return held / trials


def difference_coverage(shape: Shape, size: int, trials: int) -> float:
    """How often the interval of a mean difference of pairs holds it."""
    rng = random.Random(f"pairs {shape.name} {size}")
    return (
        sum(
            _holds(
                difference_interval(np.array([shape.draw(rng) for _ in range(size)])), shape.mean
            )
            for _ in range(trials)
        )
        / trials
    )


def rate_coverage(rate: float, size: int) -> float:
    """The exact coverage of Wilson's interval."""
    return sum(
        comb(size, passed) * rate**passed * (1 - rate) ** (size - passed)
        for passed in range(size + 1)
        if _holds(wilson(passed, size), rate)
    )


def rate_difference_coverage(lost: float, gained: float, size: int) -> float:
    """The exact coverage of the interval for pass/fail pairs."""
    covered = 0.0
    for down in range(size + 1):
        for up in range(size + 1 - down):
            if _holds(rate_difference_interval(down, up, size), gained - lost):
                ways = comb(size, down) * comb(size - down, up)
                same = (1 - lost - gained) ** (size - down - up)
                covered += ways * lost**down * gained**up * same
    return covered


def _holds(interval: tuple[float, float] | None, truth: float) -> bool:
    return interval is not None and interval[0] - 1e-12 <= truth <= interval[1] + 1e-12


def false_alarms(shape: Shape, size: int, trials: int) -> float:
    """How often the sign-flip test sees a change between runs that are equal but for chance."""
    rng = random.Random(f"alarms {shape.name} {size}")
    pairs = [
        np.array([shape.draw(rng) - shape.draw(rng) for _ in range(size)]) for _ in range(trials)
    ]
    return sum(p <= ALPHA for p in sign_flips(pairs)) / trials


def mcnemar_alarms(changed: float, size: int) -> float:
    """The same of McNemar's test, exactly; either change has half of the chance `changed`."""
    return sum(
        comb(size, moved)
        * changed**moved
        * (1 - changed) ** (size - moved)
        * sum(comb(moved, lost) / 2**moved for lost in range(moved + 1) if _alarms(lost, moved))
        for moved in range(size + 1)
    )


def _alarms(lost: int, moved: int) -> bool:
    return mcnemar(lost, moved - lost) <= ALPHA


def table(
    what: str, sizes: Sequence[int], rows: Iterable[tuple[str, Callable[[int], float]]], mark: bool
) -> str:
    """Cells in per cent; those outside 93 to 97 % in italics where `mark` says so."""
    head = [what, *(f"n = {size:,}" for size in sizes)]
    lines = [head, ["---", *["---:"] * len(sizes)]]
    for name, measure in rows:
        print(f"measuring: {what}, {name}", file=sys.stderr, flush=True)
        lines.append([name, *(_cell(measure(size), mark=mark) for size in sizes)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(share: float, *, mark: bool) -> str:
    shown = f"{100 * share:.1f}"
    return f"*{shown}*" if mark and not LOW <= float(shown) <= HIGH else shown


def tables(trials: int, only: Iterable[str] = ()) -> dict[str, str]:
    """All tables, or some, by the name of their place on the page."""
    made: dict[str, Callable[[], str]] = {
        "means": lambda: table(
            "Mean of scores",
            SIZES,
            [(s.name, partial(mean_coverage, s, trials=trials)) for s in SHAPES],
            mark=True,
        ),
        "grouped": lambda: table(
            "Mean of scores, in groups",
            (GROUPED,),
            [
                (s.name, partial(mean_coverage, s, trials=trials // 4))
                for s in (SHAPES[0], SHAPES[4], SHAPES[7])
            ],
            mark=True,
        ),
        "rates": lambda: table(
            "Rate",
            SIZES,
            [
                *((f"{rate:.0%}", partial(rate_coverage, rate)) for rate in (0.5, 0.7, 0.9, 0.95)),
                ("all rates from 5 to 95 %, mean", _mean_rate_coverage),
            ],
            mark=True,
        ),
        "differences": lambda: table(
            "Mean difference of pairs",
            SIZES,
            [(s.name, partial(difference_coverage, s, trials=trials)) for s in DIFFERENCES],
            mark=True,
        ),
        "rate differences": lambda: table(
            "Pass/fail pairs, lost and gained",
            SIZES,
            [
                (f"{lost:.0%} and {gained:.0%}", partial(rate_difference_coverage, lost, gained))
                for lost, gained in ((0.2, 0.2), (0.1, 0.2), (0.05, 0.1), (0.02, 0.02))
            ],
            mark=True,
        ),
        "alarms": lambda: table(
            "False alarms at 5 %",
            SIZES,
            [
                *(
                    (f"sign-flip, {s.name}", partial(false_alarms, s, trials=trials))
                    for s in (SHAPES[0], SHAPES[3], SHAPES[4], SHAPES[6])
                ),
                *(
                    (f"McNemar, {share:.0%} of pairs change", partial(mcnemar_alarms, share))
                    for share in (0.1, 0.4)
                ),
            ],
            mark=False,
        ),
    }
    return {name: make() for name, make in made.items() if not only or name in only}


def _mean_rate_coverage(size: int) -> float:
    rates = [0.05 + 0.9 * step / 900 for step in range(901)]
    return sum(rate_coverage(rate, size) for rate in rates) / len(rates)


def put(page: str, found: dict[str, str]) -> str:
    """The page with the tables in their places."""
    for name, text in found.items():
        start, end = f"<!-- table: {name} -->\n", "<!-- end -->"
        before, rest = page.split(start, 1)
        page = f"{before}{start}\n{text}\n{end}{rest.split(end, 1)[1]}"
    return page


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"put the tables into {PAGE.name}")
    parser.add_argument("--trials", type=int, default=TRIALS, help="simulated runs of a cell")
    parser.add_argument("--only", action="append", default=[], help="make this table")
    options = parser.parse_args()
    found = tables(options.trials, options.only)
    if options.write:
        PAGE.write_text(put(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    print("\n".join(found.values()))


if __name__ == "__main__":
    main()
