"""Of whom a sentence speaks that opens with a pronoun: the one that the sentence before names."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.words import Word

MOST_WORDS = 25
"""Longer statements are not compared."""
LEAST_SAID = 2
"""So many content words a statement says of its name, at least."""
NEAR = 3
"""The pronoun is one of so many first words: "In 1923 she moved"."""


def other_antecedent(claim: TextReading, passage: Sequence[TextReading]) -> ClaimDifference | None:
    """A name of which the statement says what the passage says of another, by a pronoun.

    "The Salt Road came out in 2001. It won a prize. Glass Harbour was filmed." is against "Glass
    Harbour won a prize". The sentences are those of one context, in its order.
    """
    name = _subject(claim)
    if not name or claim.denies or len(claim.words) > MOST_WORDS:
        return None
    own = {word.key for word in name}
    said = claim.content.keys() - own
    if len(said) < LEAST_SAID or not any(own <= one.keys for one in passage):
        return None
    rival: ClaimDifference | None = None
    for place, sentence in enumerate(passage):
        if not said <= sentence.keys or not _has_figures(claim, sentence):
            continue
        named = _antecedent(passage, place)
        if named is None or not own.isdisjoint(sentence.keys) or not own.isdisjoint(named.keys):
            return None
        first = min(named.names.values(), key=lambda word: word.start)
        spans = (name[0].start, name[-1].end, first.start, named.name_end(first))
        quoted = claim.quote(*spans[:2]), named.quote(*spans[2:])
        rival = ClaimDifference("name", *quoted, *spans)
    return rival


def _subject(claim: TextReading) -> list[Word]:
    """The name that a statement opens with; empty where it opens with something else."""
    name: list[Word] = []
    for word in claim.words:
        if not word.is_capital or word.clause != claim.words[0].clause:
            break
        name.append(word)
    is_name = any(word.key in claim.names for word in name)
    return [word for word in name if not word.is_empty] if is_name else []


def _has_figures(claim: TextReading, sentence: TextReading) -> bool:
    return all(any(map(one.equals, sentence.figures)) for one in claim.stated_figures)


def _antecedent(passage: Sequence[TextReading], place: int) -> TextReading | None:
    """The sentence whose name a pronoun at the beginning of another one stands for.

    None where it opens with no pronoun, or no sentence before it has a name. "It" may stand for
    what was named last; "she" and "her" go on about one person.
    """
    lists = meaning_words().lists
    persons = lists["named_before"] | lists["possessive"]
    opening = {word.text for word in passage[place].words[:NEAR]}
    while place and not opening.isdisjoint(persons | {"it"}):
        place -= 1
        is_thing = "it" in opening
        opening = {word.text for word in passage[place].words[:NEAR]}
        if passage[place].names and (is_thing or opening.isdisjoint(persons | {"it"})):
            return passage[place]
    return None
