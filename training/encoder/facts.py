"""Made-up facts in several wordings: who did what to whom, said with other words or turned round.

`facts.toml` lists the wordings of each fact and the values that fill them. A context holds one
fact or two, the second with other values, so that a claim may also mix both.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from training.encoder.editor import CONTRADICTED, ENTAILED, NOT_ENTAILED, OPEN

Values = dict[str, str]


class Claim(NamedTuple):
    """A claim, the context it is read beside, and what that says of it."""

    text: str
    context: str
    label: str
    is_whole: bool
    """Whether the claim says all that the fact says, or rules it out."""
    said: str
    """The fact as the context words it."""


@cache
def _tables() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "facts.toml").read_text(encoding="utf-8"))


def facts() -> list[dict[str, Any]]:
    """The facts with their wordings."""
    found: list[dict[str, Any]] = _tables()["fact"]
    return found


def claims(fact: dict[str, Any], chance: Random) -> Iterator[Claim]:
    """The claims about one choice of values, beside one context."""
    values = _filled(fact, chance)
    others = _filled(fact, chance, values)
    said = chance.choice(fact["same"])
    context = _context(said, values, others, fact, chance)
    wordings = [one for one in fact["same"] if one != said]
    mixed = values | _some(others, chance)
    made = [
        (chance.choice(wordings), values, ENTAILED, True),
        (chance.choice(fact["less"]), values, ENTAILED, False),
        (chance.choice(fact["opposite"]), values, CONTRADICTED, True),
        (chance.choice(fact["open"]), values, OPEN, False),
        (chance.choice(fact["same"]), mixed, NOT_ENTAILED, True),
    ]
    if "swap" in fact:
        a, b = fact["swap"]
        turned = values | {a: values[b], b: values[a]}
        made += [(said, turned, NOT_ENTAILED, True)]
        made += [(chance.choice(wordings), turned, NOT_ENTAILED, True)]
    for text, filling, label, is_whole in made:
        yield Claim(_worded(text, filling), context, label, is_whole, _worded(said, values))


def _filled(fact: dict[str, Any], chance: Random, taken: Values | None = None) -> Values:
    """Values of all slots, none twice and none that is taken."""
    chosen: Values = {}
    for slot, kind in fact["slots"].items():
        used = {*chosen.values(), *(taken or {}).values()}
        chosen[slot] = chance.choice([v for v in _tables()["values"][kind] if v not in used])
    return chosen


def _some(others: Values, chance: Random) -> Values:
    """One value or more of another fact, but not all of them."""
    names = sorted(others)
    return {name: others[name] for name in chance.sample(names, chance.randint(1, len(names) - 1))}


def _context(
    said: str, values: Values, others: Values, fact: dict[str, Any], chance: Random
) -> str:
    sentences = [_worded(said, values)]
    if chance.random() < 0.5:
        sentences.append(_worded(chance.choice(fact["same"]), others))
    elif chance.random() < 0.6:
        another = chance.choice([one for one in facts() if one is not fact])
        sentences.append(_worded(chance.choice(another["same"]), _filled(another, chance)))
    chance.shuffle(sentences)
    return " ".join(sentences)


def _worded(text: str, values: Values) -> str:
    sentence = text.format(**values)
    return sentence[:1].upper() + sentence[1:]
