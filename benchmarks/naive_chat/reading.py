"""What the plain metrics do with a text before they count: patterns, steps, the script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, wraps
from itertools import pairwise
from typing import NamedTuple

from assay.core import Result, Sample, Span
from assay.data import languages, lexicon
from benchmarks import naive
from benchmarks.naive import Text
from benchmarks.patterns import compiled

Rule = Callable[[Sample], Result]
_BULLET = re.compile(r"(?m)^[ \t]*[-•*][ \t]+(.+)$")


def needs(*fields: str) -> Callable[[Rule], Rule]:
    """Say `missing` where a field is absent."""

    def declare(rule: Rule) -> Rule:
        @wraps(rule)
        def checked(sample: Sample) -> Result:
            for name in fields:
                if getattr(sample, name) in (None, (), {}):
                    return Result.missing(f"The sample has no {name!r}.")
            return rule(sample)

        return checked

    return declare


def reads_english(rule: Callable[[Sample, Text], Result]) -> Rule:
    """Normalise the response; say `missing` where it is in another script than Latin."""

    @wraps(rule)
    def checked(sample: Sample) -> Result:
        response = naive.normalise(sample.response)
        if other := other_language(response):
            return Result.missing(f"The rule reads en; the response is in {other!r}.")
        return rule(sample, response)

    return checked


def other_language(text: Text) -> str:
    """The language of a text in another script than Latin, else nothing."""
    if text.text.isascii():
        return ""
    letters = Counter(filter(str.isalpha, text.lower[:2000]))
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        scripts[unicodedata.name(letter, "UNKNOWN").split()[0]] += count
    script = max(sorted(scripts), key=scripts.__getitem__, default="LATIN")
    code = languages().scripts.get(script, "und")
    for other, signs in languages().letters.get(code, {}).items():
        if 50 * sum(letters[sign] for sign in set(signs)) > letters.total():
            return other
    return "" if code == "und" or code in languages().words else code


@cache
def _patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((pattern.name, compiled(pattern)) for pattern in lexicon(name).patterns)


@cache
def weights(name: str) -> dict[str, float]:
    """The weight of each pattern of a lexicon."""
    return {pattern.name: pattern.weight for pattern in lexicon(name).patterns}


def matches(text: Text, name: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The matches of a lexicon, one pattern after the other."""
    for label, pattern in _patterns(name):
        for match in pattern.finditer(text.lower):
            yield label, match


def hits(text: Text, *names: str, field: str = "response") -> list[Span]:
    """The places of lexicons' patterns, in order."""
    return sorted(
        text.span(*match.span(), label, field)
        for name in names
        for label, match in matches(text, name)
    )


class Step(NamedTuple):
    """A step, its words, and its place in the normalised text."""

    text: str
    start: int
    words: list[str]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def has_connector(self) -> bool:
        """Whether a word or phrase ties it to another step."""
        said = f" {' '.join(self.words)} "
        return any(f" {phrase} " in said for phrase in weights("connectors.en"))


def steps(text: Text) -> list[Step]:
    """The reasoning steps: behind "step", in a list, with a connector, or the whole."""
    marked = list(_between(text, _marked(text), 10))
    listed = marked or list(_between(text, [m.span(1) for m in _BULLET.finditer(text.text)], 10))
    if listed:
        return listed
    sentences = [(s.start, s.end) for s in naive.sentences(text.text)]
    reasoned = [step for step in _between(text, sentences, 20) if step.has_connector]
    return reasoned or list(_between(text, [(0, len(text.text))], 50))


def _marked(text: Text) -> list[tuple[int, int]]:
    found: dict[str, list[tuple[int, int]]] = {"step": [], "step by step": []}
    for label, match in matches(text, "step_markers"):
        found[label].append(match.span())
    markers = [
        (start, end)
        for start, end in found["step"]
        if not any(begin <= start < stop for begin, stop in found["step by step"])
    ]
    bounds = [*markers, (len(text.text), len(text.text))]
    return [(end, start) for (_, end), (start, _) in pairwise(bounds)]


def _between(text: Text, bounds: list[tuple[int, int]], least: int) -> Iterator[Step]:
    for begin, end in bounds:
        said = text.text[begin:end].strip()
        if len(said) > least:
            yield Step(said, text.text.index(said, begin), _words(said))


def _words(text: str) -> list[str]:
    return [word.text for word in naive.words(text.lower())]
