"""Speed and agreement of the pattern matcher against `re`, pattern by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.features import Matcher
from assay.features.normal import normal
from benchmarks.generate import arabic_records, texts
from benchmarks.measure import Row, Section, Sizes, all_of, at_least, medians
from benchmarks.patterns import compiled, lexicons

GOAL = 40
"""Times faster than `re`, as in our own comparison of pattern engines."""

Place = tuple[str, str, int, int]
"""Group, pattern, start and end."""
Compiled = Sequence[tuple[str, str, re.Pattern[str]]]


def matching(sizes: Sizes) -> Section:
    """Hits with places, both ways, over the same texts."""
    matcher = Matcher(lexicons())
    patterns = [(g.name, p.name, compiled(p)) for g in lexicons() for p in g.patterns]
    found = texts(sizes.texts)
    taken = medians(
        {
            "re": lambda: [_with_re(patterns, text) for text in found],
            "matcher": lambda: [_with_matcher(matcher, text) for text in found],
        },
        sizes.rounds,
    )
    rate = {name: len(found) / seconds for name, seconds in taken.items()}
    beyond = sum(not text.isascii() for text in found)
    return Section(
        "Patterns",
        f"All places of {len(patterns)} patterns in {len(lexicons())} groups, in {len(found)} "
        f"texts of about 150 words ({beyond} beyond ASCII). Ours normalises each text and gives "
        "places in the text as given; `re` (compiled once, IGNORECASE) searches it as it is. For "
        "the agreement both search the normalised text.",
        [
            Row("`re`, pattern by pattern", f"{rate['re']:,.0f} texts/s"),
            Row("`Matcher`, normalisation included", f"{rate['matcher']:,.0f} texts/s"),
            at_least("Speed-up", rate["matcher"] / rate["re"], GOAL, "times"),
            *agreement(matcher, patterns, sizes.texts),
        ],
    )


def _with_re(patterns: Compiled, text: str) -> list[Place]:
    return [
        (group, name, *match.span())
        for group, name, pattern in patterns
        for match in pattern.finditer(text)
    ]


def _with_matcher(matcher: Matcher, text: str) -> list[Place]:
    prepared = normal.feature(text)
    return [
        (hit.lexicon, hit.pattern, *prepared.span(hit.start, hit.end))
        for hit in matcher.find(prepared)
    ]


def agreement(matcher: Matcher, patterns: Compiled, count: int) -> list[Row]:
    """Texts in which both ways find the same places, by kind of text."""
    plain = [text for text in texts(count * 2, seed=3) if text.isascii()][:count]
    arabic = [record["response"] for record in arabic_records(count)]
    mixed = [f"{one} {other}" for one, other in zip(plain, arabic, strict=False)]
    kinds = {"ASCII": plain, "Arabic": arabic, "mixed": mixed}
    return [_agreement(matcher, patterns, kind, found) for kind, found in kinds.items()]


def _agreement(matcher: Matcher, patterns: Compiled, kind: str, found: Iterable[str]) -> Row:
    prepared = [normal.feature(text) for text in found]
    same = sum(sorted(matcher.find(t)) == sorted(_with_re(patterns, t.lower)) for t in prepared)
    return all_of(f"Same places, {kind}", same, len(prepared), "texts")
