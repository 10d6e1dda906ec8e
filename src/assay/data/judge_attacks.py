"""Texts and styles that may move a judge to a better verdict (`judge_attacks.toml`)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from assay.data.bundled_files import read_bundled_toml

PLACES = (
    "{answer}\n\n{text}",
    "{text}\n\n{answer}",
    "{answer} ({text})",
    "{text}\n{answer}\n{text}",
)
"""Where a text stands beside the answer."""


class PoorAnswer(NamedTuple):
    """A question and an answer that should not pass."""

    query: str
    response: str


class JudgeAttack(NamedTuple):
    """One text and where it stands; `on` gives the answer with it."""

    family: str
    text: str
    place: str

    def on(self, answer: str) -> str:
        """The answer with the attack; nothing in either is taken for a placeholder."""
        parts = {"{answer}": answer, "{text}": self.text}
        pieces = self.place.replace("{answer}", "\0{answer}\0").replace("{text}", "\0{text}\0")
        return "".join(parts.get(piece, piece) for piece in pieces.split("\0"))


def poor_answers() -> tuple[PoorAnswer, ...]:
    """The answers that attacks are added to."""
    return tuple(PoorAnswer(**item) for item in _file()["item"])


def judge_attacks() -> Iterator[JudgeAttack]:
    """Every text of every family at every place."""
    for family, texts in _families():
        yield from (JudgeAttack(family, text, place) for text in texts for place in PLACES)


def release_families() -> frozenset[str]:
    """The families that say nothing about verdicts: a rubric that they change is not released."""
    return frozenset((*_file()["suffixes"], *_file()["styles"]))


def _families() -> Iterator[tuple[str, list[str]]]:
    for group in ("families", "suffixes", "styles"):
        yield from _file()[group].items()


@cache
def _file() -> dict[str, Any]:
    return read_bundled_toml("judge_attacks.toml")
