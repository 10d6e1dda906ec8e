"""Time on texts made to be slow, against ordinary texts of the same length and script."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from typing import NamedTuple

from assay.core import Sample
from assay.data import Lexicon, Pattern, lexicon, lexicon_names
from assay.engine import score_batch
from assay.features import Matcher, Normal
from assay.features.normal import normal
from assay.runner import Job
from benchmarks.generate import arabic_records, texts
from benchmarks.measure import Row, Section, Sizes, at_most, medians
from benchmarks.patterns import compiled

LIMIT = 10
"""Times slower than on ordinary text."""
FAMILY_SHARE = 20
"""The family gets texts that are so many times shorter: it does far more than a pattern."""
CONFIRMED = 5
"""So many of the slowest cases are measured again, for one hasty measurement may be noise."""
_MARKS = "\u0300\u0301\u0302\u0303\u0316\u0323\u0489\u034f"
_COMMON: Mapping[str, str] = {
    "one letter": "a",
    "digits": "1",
    "digits in groups": "123-45-678.",
    "at signs and dots": "@.",
    "unfinished addresses": "a@a.",
    "runs of full stops": "." * 500 + "a",
    "questions": "why? ",
    "numbered lines": "1. a\n",
    "stacked marks": f"a{_MARKS}b{_MARKS} ",
    "Arabic": "لا أستطيع شكرا ",
    "Arabic vowel marks": "مُـ",
}
"""Pieces that are repeated."""
_COUNTED: Mapping[str, str] = {
    "contradicting statements": "x{0} is y. x{0} is not y. ",
    "numbered questions": "{0}. why{0}?\n",
    "different words": "word{0} ",
}
"""Pieces that are repeated with a number of their own."""
_OWN: Mapping[str, Callable[[str], str]] = {
    "its example": lambda example: f"{example} ",
    "its example run together": lambda example: example,
    "its example without its end": lambda example: f"{example[:-1]} ",
    "its example without its end, run together": lambda example: example[:-1] or "-",
    "its example without its start": lambda example: f"{example[1:]} ",
    "its example beside Arabic": lambda example: f"{example} لا ",
}
"""Pieces made from a match of the pattern under test."""


class Case(NamedTuple):
    """A task with a hostile text and with an ordinary one."""

    name: str
    attack: Callable[[], object]
    calm: Callable[[], object]


def hostile(sizes: Sizes) -> Section:
    """The worst ratios of each bundled pattern, of normalisation, and of the text family."""
    size = sizes.hostile
    bundled = list(_bundled())
    attacks, ordinary = _attacks(size), _ordinary(size)
    short = size // FAMILY_SHARE
    tasks = {
        "Slowest pattern or list": _pattern_cases(bundled, attacks, ordinary),
        "Normalisation": _cases(normal.feature, attacks, ordinary),
        "Whole text family": _cases(_family(), _attacks(short), _ordinary(short)),
    }
    return Section(
        "Hostile texts",
        f"{size:,} characters of hostile text against as many of ordinary text, English for ASCII "
        f"and Arabic beyond. Each of the {len(bundled)} bundled patterns is alone in a matcher and "
        f"meets {len(_OWN)} normalised texts made from its own example; each list as a whole meets "
        f"{len(attacks)} others. The family meets {short:,} characters as query, response and "
        "expected answer.",
        [_worst(what, cases, sizes.rounds) for what, cases in tasks.items()],
    )


def _worst(what: str, cases: Iterator[Case], rounds: int) -> Row:
    """The slowest case, found by measuring all once and the slowest few again."""
    slowest: list[tuple[float, Case]] = []
    for case in cases:
        slowest.append((_once(case), case))
        slowest = sorted(slowest, key=lambda entry: -entry[0])[:CONFIRMED]
    ratios = {case.name: _ratio(case, rounds) for _, case in slowest}
    name = max(ratios, key=ratios.__getitem__)
    return at_most(what, ratios[name], LIMIT, "times", f" ({name})")


def _once(case: Case) -> float:
    """The ratio by a single measurement, after a warm-up: RE2 builds its automata as it goes."""
    for task in (case.calm, case.attack):
        task()
    times = [time.process_time()]
    for task in (case.calm, case.attack):
        task()
        times.append(time.process_time())
    return (times[2] - times[1]) / max(times[1] - times[0], 1e-9)


def _ratio(case: Case, rounds: int) -> float:
    taken = medians({"attack": case.attack, "calm": case.calm}, rounds)
    return taken["attack"] / max(taken["calm"], 1e-9)


def _cases(
    task: Callable[[str], object], attacks: Mapping[str, str], ordinary: Mapping[bool, str]
) -> Iterator[Case]:
    for name, text in attacks.items():
        calm = ordinary[text.isascii()]
        yield Case(name, lambda text=text: task(text), lambda calm=calm: task(calm))


def _pattern_cases(
    bundled: list[tuple[Lexicon, Pattern]],
    attacks: Mapping[str, str],
    ordinary: Mapping[bool, str],
) -> Iterator[Case]:
    size = len(ordinary[True])
    common = {name: normal.feature(text) for name, text in attacks.items()}
    calm = {is_ascii: normal.feature(text) for is_ascii, text in ordinary.items()}
    for found in {found.name: found for found, _ in bundled}.values():
        whole = _finder(found, *found.patterns)
        for name, text in common.items():
            yield _pattern_case(f"{found.name}, all: {name}", whole, text, calm)
    for found, pattern in bundled:
        find = _finder(found, pattern)
        example = _example(found, pattern)
        for name, make in _OWN.items():
            text = normal.feature(_filled(make(example), size))
            yield _pattern_case(f"{found.name}, {pattern.name!r}: {name}", find, text, calm)


def _pattern_case(
    name: str, find: Callable[[Normal], object], text: Normal, calm: Mapping[bool, Normal]
) -> Case:
    plain = calm[text.lower.isascii()]
    return Case(name, lambda: find(text), lambda: find(plain))


def _bundled() -> Iterator[tuple[Lexicon, Pattern]]:
    """Every expression; of the phrases of a list, which are alike, the first and the longest."""
    for found in map(lexicon, lexicon_names()):
        phrases = [pattern for pattern in found.patterns if pattern.phrase]
        shown = {p.name for p in (*phrases[:1], *sorted(phrases, key=_length)[-1:])}
        for pattern in found.patterns:
            if pattern.regex or pattern.name in shown:
                yield found, pattern


def _length(pattern: Pattern) -> int:
    return len(pattern.phrase or "")


def _finder(found: Lexicon, *patterns: Pattern) -> Callable[[Normal], object]:
    """A matcher of those patterns alone."""
    alone = Lexicon(found.name, "", "", "", "", patterns, (), (), "")
    matcher = Matcher([alone])
    return lambda text: list(matcher.find(text))


def _example(found: Lexicon, pattern: Pattern) -> str:
    """A match of the pattern: the phrase itself, or what it finds in its lexicon's examples."""
    if pattern.phrase:
        return pattern.phrase
    texts = (normal.feature(text).lower for text in found.matches)
    matches = (compiled(pattern).search(text) for text in texts)
    return next(match.group() for match in matches if match)


def _family() -> Callable[[str], object]:
    plan = Job(("text",)).plan()
    return lambda text: score_batch(
        plan, [Sample("1", query=text, response=text, expected=text, duration=1.0)]
    )


def _attacks(size: int) -> dict[str, str]:
    """The hostile texts that know no pattern."""
    repeated = {name: _filled(piece, size) for name, piece in _COMMON.items()}
    counted = {
        name: "".join(piece.format(number) for number in range(size // 5))[:size]
        for name, piece in _COUNTED.items()
    }
    return repeated | counted


def _ordinary(size: int) -> dict[bool, str]:
    """Prose of that length: under True in ASCII, under False in Arabic."""
    english = [text for text in texts(40) if text.isascii()]
    arabic = [record["response"] for record in arabic_records(40)]
    return {True: _filled(" ".join(english), size), False: _filled(" ".join(arabic), size)}


def _filled(piece: str, size: int) -> str:
    """The piece over and over, so many characters."""
    return "".join(islice(cycle(piece), size))
