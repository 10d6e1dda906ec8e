"""Pairs of texts that differ only in what should not matter to a judge (`judge_biases.toml`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from assay.data.bundled_files import read_bundled_toml

FILE = "judge_biases.toml"
POSITION, LANGUAGE = "position", "language"


class BiasProbe(NamedTuple):
    """An answer as it is, and with a cue that should not change the verdict."""

    bias: str
    answer: int
    """The place of the plain answer."""
    query: str
    response: str


class PlainAnswer(NamedTuple):
    """A question and an answer."""

    query: str
    response: str
    translated: str


def plain_answers() -> list[PlainAnswer]:
    """The answers, a good and a poor one to each question."""
    return [
        PlainAnswer(item["query"], item[quality], item[f"{quality}_translated"])
        for item in read_bundled_toml(FILE)["item"]
        for quality in ("good", "poor")
    ]


def bias_probes() -> Iterator[BiasProbe]:
    """Every answer with one cue of every kind but position."""
    table = read_bundled_toml(FILE)
    for place, answer in enumerate(plain_answers()):
        for bias, cues in table["cues"].items():
            cued = _filled(cues, place, answer)
            yield BiasProbe(bias, place, answer.query, cued)
        for bias, cues in table["queries"].items():
            yield BiasProbe(bias, place, _filled(cues, place, answer), answer.response)
        yield BiasProbe(LANGUAGE, place, answer.query, answer.translated)


def reworded_answers() -> list[str]:
    """Each answer in words that change nothing, to be compared with it in both orders."""
    cues = read_bundled_toml(FILE)["pairs"]["reworded"]
    return [_filled(cues, place, answer) for place, answer in enumerate(plain_answers())]


def _filled(cues: list[Any], place: int, answer: PlainAnswer) -> str:
    text: str = cues[(place // 2) % len(cues)]
    return text.format(query=answer.query, response=answer.response)
