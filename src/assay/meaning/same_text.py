"""Whether two free texts say the same: no difference by rule, and enough words in common.

A misspelt word counts as the word; numbers, negation, opposites, names, roles and quantities are
compared by `differences` in both directions, codes such as `USB-C` letter by letter. Where all is
the same but for one word in the place of another, these two words decide, not what is shared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import takewhile
from typing import Any, NamedTuple

from assay.data.contrasts import things_of_words
from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.differences import differences
from assay.meaning.reading import TextReading, read
from assay.meaning.word_coverage import synonyms
from assay.meaning.word_relations import aliases
from assay.meaning.words import Word
from assay.textproc.normal import normalise

MIN_SHARED = 0.7
"""Mean share of content words that both texts must have. On the captions of STS-B (development
half) it tells pairs that people call equivalent (4.5 of 5 and more) from the rest with a balanced
accuracy of 0.80."""
MIN_SPELLING = 80.0
"""How alike, of 100, two long words must be to count as one misspelt word."""
_LONG = 5
_MAX_WORDS = 400
"""Words without a partner that are looked at for spelling: hostile text stays cheap."""
_CODE = re.compile(
    r"(?<![a-z0-9])"
    r"(?:[a-z0-9]++(?:[-_/][a-z0-9]++)++|[a-z]++[0-9][a-z0-9]*+|[0-9]++[a-z][a-z0-9]*+)"
)


class TextMatch(NamedTuple):
    """How far two texts say the same."""

    shared: float
    """Mean share of content words in common, from 0 to 1."""
    reason: str
    """What one says otherwise, as the end of a sentence; empty where nothing was found."""
    replaced: tuple[str, str] | None = None
    """The only words that differ, of the expected and of the actual text."""

    @property
    def is_same(self) -> bool:
        """Whether the texts say the same."""
        return not self.reason and not self.replaced and self.shared >= MIN_SHARED


def compare_texts(expected: str, actual: str) -> TextMatch:
    """Compare an actual text with the expected one."""
    one, other = _read(expected), _read(actual)
    if _begin_alike(one, other):
        one, other = (_read(text[:1].lower() + text[1:]) for text in (expected, actual))
    shared = shared_words(one, other)
    result = _told(differences(other, one)) or _told(differences(one, other))
    if result:
        return TextMatch(shared, f"it {result[0].message}")
    apart = _told_apart(one, other) or (shared == 1.0 and _other_person(one, other))
    if apart:
        return TextMatch(shared, f"it says {apart[1]!r} where {apart[0]!r} is expected")
    codes = _codes(one), _codes(other)
    if codes[0] and codes[1] and codes[0] != codes[1]:
        missing = sorted(codes[0] - codes[1]) or sorted(codes[1] - codes[0])
        return TextMatch(shared, f"only one of the texts has {missing[0]!r}")
    return TextMatch(shared, "", _replaced(one, other))


def _told(found: Iterable[ClaimDifference]) -> list[ClaimDifference]:
    """The differences but for two neighbours in the other order: "completely healed"."""
    return [one for one in found if one.kind != "roles" or len(one.claimed.split()) > 2]


def _told_apart(one: TextReading, other: TextReading) -> tuple[str, str] | None:
    """The words for two things of one kind, of which each text has another: tenant, landlord."""
    expected, actual = _things(one), _things(other)
    for kind in expected.keys() & actual.keys():
        ours, theirs = expected[kind], actual[kind]
        if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
            (word,), (another,) = ours.values(), theirs.values()
            if another.key not in synonyms().get(word.key, ()):
                return word.text, another.text
    return None


def _things(reading: TextReading) -> Mapping[str, Mapping[str, Word]]:
    """Kind → the things of it that a text names, each with its word."""
    result: dict[str, dict[str, Word]] = {}
    for word in reading.words:
        if known := things_of_words().get(word.bare):
            result.setdefault(known[0], {})[known[1]] = word
    return result


def _other_person(one: TextReading, other: TextReading) -> tuple[str, str] | None:
    """The words of a text that first speaks of its writer, and of one that does of its reader."""
    expected, actual = _first_person(one), _first_person(other)
    if expected is None or actual is None or expected[0] == actual[0]:
        return None
    is_turned = any(
        word.text in meaning_words().lists["agent"] for word in (*one.words, *other.words)
    )
    return None if is_turned else (expected[1], actual[1])


def _first_person(reading: TextReading) -> tuple[str, str] | None:
    """The first word for the writer or the reader of a text, behind the name of its list."""
    lists = meaning_words().lists
    return next(
        (
            (name, word.text)
            for word in reading.words
            for name in ("writers", "readers")
            if word.text in lists[name]
        ),
        None,
    )


def _replaced(one: TextReading, other: TextReading) -> tuple[str, str] | None:
    """The words in the middle where one content word stands for another and all else is equal."""
    keys, others = ([word.key for word in reading.words] for reading in (one, other))
    first = _shared_start(keys, others)
    last = _shared_start(keys[first:][::-1], others[first:][::-1])
    middles = [reading.words[first : len(reading.words) - last] for reading in (one, other)]
    content = [
        [word.key for word in middle if word.key in reading.content]
        for middle, reading in zip(middles, (one, other), strict=True)
    ]
    if [len(own) for own in content] != [1, 1] or content[0] == content[1]:
        return None
    if first + last == 0 or _linked(*content)[0]:
        return None
    texts = [r.text[m[0].start : m[-1].end] for r, m in zip((one, other), middles, strict=True)]
    return texts[0], texts[1]


def _shared_start(keys: list[str], others: list[str]) -> int:
    """How many words two texts begin with in common."""
    both = zip(keys, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))


def _begin_alike(one: TextReading, other: TextReading) -> bool:
    """Whether the first words are synonyms, and so no names though they have capital letters."""
    first = [reading.words[0].key for reading in (one, other) if reading.words]
    return len(first) == 2 and first[1] in synonyms().get(first[0], ())


def _read(text: str) -> TextReading:
    normal = normalise(text)
    return read(normal.text, normal.lower)


def _codes(reading: TextReading) -> frozenset[str]:
    figures = [(figure.start, figure.end) for figure in reading.figures]
    return frozenset(
        match.group()
        for match in _CODE.finditer(reading.text.lower())
        if _is_code(match.group())
        and not any(start <= match.start() < end for start, end in figures)
    )


def _is_code(text: str) -> bool:
    """Whether a token is a code: digits in it, or a part of one letter; "well-known" is none."""
    return any(c.isdigit() for c in text) or any(len(p) == 1 for p in re.split("[-_/]", text))


def shared_words(one: TextReading, other: TextReading) -> float:
    """The mean of the shares of each text's content words that the other one has."""
    if not one.content or not other.content:
        return float(one.text.lower().split() == other.text.lower().split())
    ours, theirs = set(one.content), set(other.content)
    both = ours & theirs
    left, right = sorted(ours - both), sorted(theirs - both)
    pairs = _linked(left, right)
    first, second = (len(both) + n for n in pairs)
    return (first / len(ours) + second / len(theirs)) / 2


def _linked(left: list[str], right: list[str]) -> tuple[int, int]:
    """How many words of either list have a partner in the other: another name, or a misspelling."""
    if not left or not right:
        return 0, 0
    links = [_partners(word, right) for word in left[:_MAX_WORDS]]
    result = {partner for partners in links for partner in partners}
    return sum(map(bool, links)), len(result)


def _partners(word: str, others: list[str]) -> list[str]:
    named = {key for alias in aliases().get((word,), ()) for key in alias}
    named |= synonyms().get(word, frozenset())
    ratio = _ratio()
    return [
        other
        for other in others[:_MAX_WORDS]
        if other in named
        or (
            min(len(word), len(other)) >= _LONG
            and ratio(word, other, score_cutoff=MIN_SPELLING) >= MIN_SPELLING
        )
    ]


@cache
def _ratio() -> Any:
    from rapidfuzz import fuzz

    return fuzz.ratio
