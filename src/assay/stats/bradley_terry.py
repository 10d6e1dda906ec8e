"""Systems ranked by verdicts on pairs of them: Bradley and Terry's model, with ties as Davidson's.

A system that wins all or loses all would be infinitely strong or weak, so 1 / k of a win is added
to either side of every pair of k systems that were compared, and half a tie in all. That is what
Jeffreys' prior adds to a balanced comparison (Firth 1993): the estimates become finite and nearly
unbiased.

Verdicts on one question are alike, so where questions have several, the intervals are those of a
likelihood whose height is scaled to the spread between questions; `benchmarks/pairwise.py` measures
how often they hold the truth. Systems without a chain of verdicts between them are ranked in groups
of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, sqrt
from typing import Any, NamedTuple

import numpy as np

from assay.core import Interval
from assay.stats.corrections import holm
from assay.stats.davidson import DavidsonFit, PairVerdict, fit_davidson

ALPHA = 0.05


class SystemStrength(NamedTuple):
    """Where one system stands."""

    system: str
    group: int
    """Systems of different groups cannot be compared."""
    strength: float | None
    """θ, the log-odds against the mean of the group; None where the group is one system."""
    interval: Interval | None
    """None below two questions."""
    win_rate: float | None
    """The expected score against the other systems of the group, a tie being half a win."""
    best_rank: int
    worst_rank: int
    """The places in its group that the verdicts leave open (Holm over all pairs)."""
    wins: int
    losses: int
    ties: int


@dataclass(frozen=True, slots=True)
class StrengthRanking:
    """Systems by strength, group by group."""

    systems: tuple[SystemStrength, ...]
    questions: int
    """Questions with a verdict."""
    notes: tuple[str, ...]
    """What keeps systems from being compared, or makes a figure depend on the added verdicts."""

    def to_json(self) -> dict[str, Any]:
        """The ranking as plain data."""
        systems = [one._asdict() for one in self.systems]
        return {"systems": systems, "questions": self.questions, "notes": list(self.notes)}


def rank_systems(names: Sequence[str], verdicts: Iterable[PairVerdict]) -> StrengthRanking:
    """Rank systems by the verdicts on pairs of them, with 95 % intervals."""
    given = list(verdicts)
    groups = connected_groups(len(names), given)
    ranked = [
        one
        for number, group in enumerate(groups, 1)
        for one in _ranked_group(names, group, number, given)
    ]
    questions = len({verdict.question for verdict in given})
    return StrengthRanking(tuple(ranked), questions, tuple(_notes(names, groups, ranked)))


def connected_groups(systems: int, verdicts: Iterable[PairVerdict]) -> list[list[int]]:
    """The systems that a chain of verdicts connects, the largest group first."""
    group_of = {place: {place} for place in range(systems)}
    for first, second in {(verdict.first, verdict.second) for verdict in verdicts}:
        if group_of[first] is not group_of[second]:
            joined = group_of[first] | group_of[second]
            group_of |= dict.fromkeys(joined, joined)
    distinct = {id(group): sorted(group) for group in group_of.values()}
    return sorted(distinct.values(), key=lambda group: (-len(group), group))


def _ranked_group(
    names: Sequence[str], group: Sequence[int], number: int, verdicts: Sequence[PairVerdict]
) -> list[SystemStrength]:
    """The systems of one group, the strongest first."""
    if len(group) == 1:
        return [SystemStrength(names[group[0]], number, None, None, None, 1, 1, 0, 0, 0)]
    places = {system: place for place, system in enumerate(group)}
    own = [
        verdict._replace(first=places[verdict.first], second=places[verdict.second])
        for verdict in verdicts
        if verdict.first in places
    ]
    fit = fit_davidson(len(group), own)
    ranks = _rank_ranges(fit)
    contrasts = np.eye(len(group)) - 1 / len(group)
    strengths = [
        SystemStrength(
            names[system],
            number,
            float(fit.strengths[place]),
            fit.interval(contrasts[place]) if fit.questions > 1 else None,
            _win_rate(fit, place),
            *ranks[place],
            *_record(own, place),
        )
        for place, system in enumerate(group)
    ]
    return sorted(strengths, key=lambda one: (-(one.strength or 0.0), one.system))


def _win_rate(fit: DavidsonFit, place: int) -> float:
    others = [other for other in range(len(fit.strengths)) if other != place]
    chances = [fit.outcome_chances(place, other) for other in others]
    return sum(win + tie / 2 for win, _, tie in chances) / len(others)


def _record(verdicts: Sequence[PairVerdict], place: int) -> tuple[int, int, int]:
    """Wins, losses and ties of a system."""
    scores = [
        verdict.score if verdict.first == place else 1 - verdict.score
        for verdict in verdicts
        if place in (verdict.first, verdict.second)
    ]
    return scores.count(1.0), scores.count(0.0), scores.count(0.5)


def _rank_ranges(fit: DavidsonFit) -> list[tuple[int, int]]:
    """The best and the worst rank of each system that differences beyond doubt leave open."""
    systems = len(fit.strengths)
    pairs = list(combinations(range(systems), 2))
    units = np.eye(systems)
    deviations = [fit.deviation(units[one] - units[other], 0.0) for one, other in pairs]
    adjusted = holm([erfc(abs(deviation) / sqrt(2)) for deviation in deviations])
    better, worse = [0] * systems, [0] * systems
    for (one, other), deviation, chance in zip(pairs, deviations, adjusted, strict=True):
        if chance <= ALPHA and fit.questions > 1:
            above, below = (one, other) if deviation > 0 else (other, one)
            better[below] += 1
            worse[above] += 1
    return [(1 + better[place], systems - worse[place]) for place in range(systems)]


def _notes(
    names: Sequence[str], groups: Sequence[Sequence[int]], ranked: Sequence[SystemStrength]
) -> list[str]:
    notes = []
    if len(groups) > 1:
        listed = "; ".join(", ".join(names[place] for place in group) for group in groups)
        notes.append(
            "No chain of verdicts connects all systems; they are ranked in groups that cannot be "
            f"compared with each other: {listed}."
        )
    for one in ranked:
        if one.strength is not None and 0 in (one.wins + one.ties, one.losses + one.ties):
            verb = "won" if one.wins else "lost"
            notes.append(
                f"{one.system} {verb} every comparison: its strength is finite only because a "
                "fraction of a verdict is added to every pair."
            )
    return notes
