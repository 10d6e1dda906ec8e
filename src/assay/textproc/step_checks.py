"""Checks that a reasoning step can be held to: its equations, its orders, and what it tracks.

- An equation must hold: both sides are evaluated, with the letters that earlier steps defined.
- An order such as "ant" < "bee", or (1) < (3), must be one.
- Items of an ordered list must be those of the last such list: none lost, none twice.
- A state ("Alice: red, Bob: blue") must hold the names and values of the last one; after "Alice and
  Bob swap" these two are exchanged and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from assay.textproc.arithmetic import assigned, equations, evaluate

MAX_LENGTH = 5_000
"""Characters of a step that are checked."""
_QUOTED = re.compile(r'"([^"<>\[\]?]{1,40})"')
_ITEM = r'(?:\(\d{1,3}\)\s*)?(?:"[^"<>\[\]?]{1,40}"|\[[^\[\]]{1,600}\])'
_ORDER = re.compile(rf"{_ITEM}(?:\s*<\s*{_ITEM})+")
_RANK = re.compile(r"\((\d{1,3})\)")
_PAIR = re.compile(r"\b([A-Z]\w*): ([^,:.\n]{1,40})")
_SWAP = re.compile(r"\b([A-Z]\w*) and ([A-Z]\w*) (?:swap|switch|trade|exchange)")
_ANSWER = re.compile(r"(?:answer|result) (?:is|=)\s*(-?\d[\d,]*(?:\.\d+)?)")


class StepCheck(NamedTuple):
    """One check of a step that could be made."""

    kind: str
    holds: bool
    reason: str
    """What is wrong, as a sentence without its end; empty where it holds."""


def check_step(step: str, before: Sequence[str], question: str) -> list[StepCheck]:
    """All checks of a step that follows those `before`."""
    step = step[:MAX_LENGTH]
    earlier = [text[:MAX_LENGTH] for text in before]
    return [
        *_equations(step, earlier, question),
        *_orders(step),
        *_items(step, earlier),
        *_states(step, earlier),
    ]


def _equations(step: str, before: Sequence[str], question: str) -> list[StepCheck]:
    known: dict[str, Fraction] = {}
    for text in before:
        known = assigned(text, known)
    checks = [
        StepCheck("equation", bool(e.holds), "" if e.holds else f"{_short(e.sides)} does not hold")
        for e in equations(step, known)
        if e.holds is not None
    ]
    return checks + _whole(step, question, assigned(step, known))


def _whole(step: str, question: str, known: dict[str, Fraction]) -> list[StepCheck]:
    """A restated question and a final answer, where the question itself can be evaluated."""
    value = evaluate(question.strip().removesuffix("=").strip())
    if value is None:
        return []
    checks = []
    for quoted in _QUOTED.findall(step):
        if (result := evaluate(quoted, known)) is not None and any(c.isalpha() for c in quoted):
            reason = "" if result == value else f"{quoted!r} is not what the question asks"
            checks.append(StepCheck("restated", result == value, reason))
    for match in _ANSWER.finditer(step):
        result = evaluate(match.group(1))
        reason = "" if result == value else f"the answer is not {match.group(1)}"
        checks.append(StepCheck("answer", result == value, reason))
    return checks


def _orders(step: str) -> list[StepCheck]:
    checks = []
    for chain in _ORDER.finditer(step):
        parts = [part.strip() for part in chain.group().split("<")]
        ranks = [int(m.group(1)) if (m := _RANK.match(part)) else None for part in parts]
        has_ranks = all(rank is not None for rank in ranks)
        for n, (one, other) in enumerate(pairwise(parts)):
            if has_ranks and ranks[n] >= ranks[n + 1]:  # type: ignore[operator] # none is None
                checks.append(StepCheck("order", False, f"{ranks[n]} is not before {ranks[n + 1]}"))
            words = _QUOTED.findall(one), _QUOTED.findall(other)
            if words[0] and words[1] and max(words[0]) > min(words[1]):
                reason = f"{max(words[0])!r} is not before {min(words[1])!r}"
                checks.append(StepCheck("order", False, reason))
        if not any(not check.holds for check in checks):
            checks.append(StepCheck("order", True, ""))
    return checks


def _items(step: str, before: Sequence[str]) -> list[StepCheck]:
    """Whether the longest ordered list of the step has the items of the last longest one."""
    own = _longest(step)
    if not own:
        return []
    checks = []
    if len(set(own)) < len(own):
        twice = next(item for item in own if own.count(item) > 1)
        checks.append(StepCheck("items", False, f"{twice!r} stands twice"))
    last = next((longest for text in reversed(before) if (longest := _longest(text))), [])
    if not last or len(own) < len(last) / 2:
        return checks
    if lost := set(last) - set(own):
        checks.append(StepCheck("items", False, f"{min(lost)!r} is lost"))
    elif new := set(own) - set(last):
        checks.append(StepCheck("items", False, f"{min(new)!r} is new"))
    else:
        checks.append(StepCheck("items", True, ""))
    return checks


def _longest(text: str) -> list[str]:
    chains = [_QUOTED.findall(chain.group()) for chain in _ORDER.finditer(text)]
    return max(chains, key=len, default=[])


def _states(step: str, before: Sequence[str]) -> list[StepCheck]:
    own = _state(step)
    last = next((state for text in reversed(before) if len(state := _state(text)) > 1), {})
    if len(own) < 2 or not last:
        return []
    if own.keys() != last.keys():
        odd = min(own.keys() ^ last.keys())
        return [StepCheck("state", False, f"{odd!r} is in one of the two states only")]
    swapped = dict(last)
    for one, other in _SWAP.findall(step):
        if one in swapped and other in swapped:
            swapped[one], swapped[other] = swapped[other], swapped[one]
    if swapped == last and _SWAP.search(step) is None:
        is_kept = sorted(own.values()) == sorted(last.values())
        return [StepCheck("state", is_kept, "" if is_kept else "a value is lost or doubled")]
    wrong = next((name for name in own if own[name] != swapped[name]), None)
    reason = "" if wrong is None else f"{wrong} has {own[wrong]!r}, not {swapped[wrong]!r}"
    return [StepCheck("state", wrong is None, reason)]


def _state(text: str) -> dict[str, str]:
    return {name: " ".join(value.lower().split()) for name, value in _PAIR.findall(text)}


def _short(sides: Sequence[str]) -> str:
    text = " = ".join(sides)
    return text if len(text) <= 80 else f"{text[:79]}…"
