"""Calls that an agent makes again without need, and rows of calls that it goes round in."""

from __future__ import annotations

from typing import NamedTuple

from assay.features.trajectory import Offence, Step, Steps, call_key, named
from assay.scoring.call_fit import only_reads

LONGEST_CYCLE = 10
"""Calls of which a cycle may consist."""
ROUNDS = 3
"""A row of calls that comes so often in direct succession is a loop; twice may be a second try."""


class Cycle(NamedTuple):
    """A row of calls that is made again and again."""

    start: int
    length: int
    rounds: int

    @property
    def end(self) -> int:
        """The place behind its last call."""
        return self.start + self.length * self.rounds


def needless_repeats(steps: Steps) -> list[Offence]:
    """Calls that were made before with the same arguments, while nothing changed in between.

    A call that failed may be tried again, and after a call of a tool that may change something,
    the same question may have another answer.
    """
    known: dict[str, Step] = {}
    repeats: list[Offence] = []
    for step in steps:
        key = call_key(step.call)
        if key in known:
            repeats.append(Offence(step, f"repeats {named(known[key])}"))
        is_change = not only_reads(step.call.name)
        if is_change:
            known = {key: step} if step.call.succeeded is not False else {}
        elif step.call.succeeded is not False:
            known.setdefault(key, step)
    return repeats


def cycles(steps: Steps) -> list[Cycle]:
    """The loops, from left to right, none inside another; in linear time for each length."""
    keys = [call_key(step.call) for step in steps]
    runs = {length: _runs(keys, length) for length in range(1, LONGEST_CYCLE + 1)}
    place, result = 0, []
    while place < len(keys):
        lengths = (n for n, same in runs.items() if same[place] >= (ROUNDS - 1) * n)
        length = next(lengths, 0)
        if length:
            result.append(Cycle(place, length, 1 + runs[length][place] // length))
            place = result[-1].end
        else:
            place += 1
    return result


def _runs(keys: list[str], distance: int) -> list[int]:
    """For each place how many calls in a row equal those `distance` later."""
    same = [0] * (len(keys) + 1)
    for place in reversed(range(max(0, len(keys) - distance))):
        same[place] = same[place + 1] + 1 if keys[place] == keys[place + distance] else 0
    return same
