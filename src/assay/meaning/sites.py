"""Where something happened: "born in Leeds", "met in Rome"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys
from assay.meaning.words import Word

MOST_WORDS = 25
"""Longer statements are not compared."""
BETWEEN = 3
"""So many words at most lie between what happened and "in": "born on 3 May in Leeds"."""


class Site(NamedTuple):
    """What happened, and the name of the place."""

    event: str
    """The key of its word."""
    name: Word


def other_site(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A place of the statement that the passage names, but not for what the statement tells.

    "Born in Leeds, she lives in Lisbon" is against "She was born in Lisbon".
    """
    if claim.denies or len(claim.words) > MOST_WORDS:
        return None
    for event, name in _sites(claim):
        named = [one for one in sentences if name.key in one.keys]
        if not named or any(event in one.keys and _is_beside(one, event, name) for one in named):
            continue
        for sentence in sentences:
            for other in _sites(sentence) if event in sentence.keys else ():
                if other.event == event and other.name.key != name.key:
                    spans = (name.start, name.end, other.name.start, other.name.end)
                    quoted = claim.quote(*spans[:2]), sentence.quote(*spans[2:])
                    return ClaimDifference("name", *quoted, *spans)
    return None


def _is_beside(sentence: TextReading, event: str, name: Word) -> bool:
    """Whether a sentence has an event and a name in one part, or no other place for the event."""
    sites = [site for site in _sites(sentence) if site.event == event]
    return not sites or any(site.name.key == name.key for site in sites)


def _sites(reading: TextReading) -> Iterator[Site]:
    """What happened where in a text."""
    prepositions = meaning_words().lists["sites"]
    if prepositions.isdisjoint(reading.texts) or not reading.names:
        return
    articles, light = meaning_words().lists["articles"], light_keys()
    words = reading.words
    for place, word in enumerate(words):
        if word.text not in prepositions:
            continue
        behind = [own for own in words[place + 1 : place + 3] if own.text not in articles]
        if not behind or behind[0].key not in reading.names:
            continue
        near = reversed(words[max(0, place - BETWEEN - 1) : place])
        event = next((w for w in near if not (w.is_empty or w.is_number or w.is_capital)), None)
        if event is not None and event.clause == word.clause and event.key not in light:
            yield Site(event.key, behind[0])
