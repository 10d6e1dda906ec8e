"""Who pays: what is free is nothing that one pays for, and what has a price is not included."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import measure_of
from assay.meaning.parts import Part, parts_of, passage_parts
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import alike, light_keys
from assay.meaning.word_relations import list_keys

MOST_WORDS = 25
"""Longer statements are not read."""


def charged(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | bool | None:
    """Whether a passage charges for what a statement calls free, or the other way round.

    True where both say the same of it: "children enter free" is "children pay nothing"; None where
    the statement says nothing of it, or the passage leaves it open.
    """
    lists = meaning_words().lists
    if lists["free"].isdisjoint(claim.spellings) and lists["paying"].isdisjoint(claim.spellings):
        return None
    if len(claim.words) > MOST_WORDS or not lists["whole"].isdisjoint(claim.spellings):
        return None
    if not lists["conditions"].isdisjoint(claim.spellings):
        return None
    if not any(map(_may_charge, sentences)):
        return None
    stated = [part for part in parts_of(claim) if _status(part, claim) is not None]
    if len(stated) != 1:
        return None
    is_free = _status(stated[0], claim)
    best = _of_one(claim, bool(is_free), sentences) or _nearest(stated[0], sentences)
    if best is None or _has_price(stated[0], best, sentences):
        return None
    sentence = sentences[best.sentence]
    if not (lists["conditions"] | lists["only"]).isdisjoint(sentence.spellings):
        return None
    if _status(best, sentence) == is_free:
        names = _names(best)
        missing = _subject(stated[0]) - names
        return True if is_free and all(alike(key, names) for key in missing) else None
    spans = (0, len(claim.text), best.start, best.end)
    return ClaimDifference("opposite", claim.text, sentence.quote(*spans[2:]), *spans)


def _may_charge(sentence: TextReading) -> bool:
    """Whether a part of a sentence may say that something is free, or has a price."""
    if not list_keys("free", "paying").isdisjoint(sentence.keys):
        return True
    return any(measure_of(f.unit.dimension) == "money" for f in sentence.stated_figures)


def _nearest(stated: Part, sentences: Sequence[TextReading]) -> Part | None:
    """The part of a passage on charges that is about the same; None where two say otherwise."""
    own = _subject(stated)
    found: list[tuple[int, bool, Part]] = []
    for part in passage_parts(sentences) if own else ():
        held = len(own & _names(part))
        status = _status(part, sentences[part.sentence])
        if held and status is not None and not _is_of_others(stated, part):
            found.append((held, status, part))
    most = max((held for held, _, _ in found), default=0)
    nearest = [(status, part) for held, status, part in found if held == most]
    return nearest[0][1] if len({status for status, _ in nearest}) == 1 else None


def _of_one(claim: TextReading, is_free: bool, sentences: Sequence[TextReading]) -> Part | None:
    """The part of a passage that says otherwise of one of two things: "breakfast and parking"."""
    joining = meaning_words().lists["and"]
    for before, word, behind in zip(claim.words, claim.words[1:], claim.words[2:], strict=False):
        if word.text not in joining or before.is_empty or behind.is_empty:
            continue
        for key in (before.key, behind.key):
            told = [
                (_status(part, sentences[part.sentence]), part)
                for part in passage_parts(sentences)
                if key in _names(part)
            ]
            known = [(status, part) for status, part in told if status is not None]
            if known and all(status != is_free for status, _ in known):
                return known[0][1]
    return None


def _has_price(stated: Part, best: Part, sentences: Sequence[TextReading]) -> bool:
    """Whether a passage has the stated price, of what the nearest part on charges leaves out."""
    prices = [f for f in stated.figures if measure_of(f.unit.dimension) == "money"]
    other = _subject(stated) - _names(best)
    return bool(prices and other) and any(
        other <= one.keys and all(any(map(price.equals, one.figures)) for price in prices)
        for one in sentences
    )


def _is_of_others(one: Part, two: Part) -> bool:
    """Whether two parts speak of different things of one kind: adults, children."""
    own = {thing.kind: thing for thing in one.things}
    shared = [thing for thing in two.things if thing.kind in own]
    return bool(shared) and not any(own[thing.kind] == thing for thing in shared)


def _subject(part: Part) -> frozenset[str]:
    """What a statement is about, besides words for charges."""
    return _names(part) - light_keys() - list_keys("free", "paying", "charge_objects")


def _names(part: Part) -> frozenset[str]:
    return part.keys.union(*[thing.name for thing in part.things])


def _status(part: Part, reading: TextReading) -> bool | None:
    """Whether a part of a text gives something for free; None where it says nothing of that."""
    is_denied = part.is_denied or any(
        part.start <= reading.words[scope.place].start < part.end for scope in reading.scopes
    )
    if not list_keys("exempt").isdisjoint(part.keys):
        return not is_denied
    if not list_keys("free").isdisjoint(part.keys):
        is_phrase = meaning_words().lists["free"].isdisjoint(reading.spellings)  # "pay nothing"
        return is_phrase or not is_denied
    has_paying = not list_keys("paying").isdisjoint(part.keys) and "paid" not in reading.spellings
    if has_paying and is_denied:
        return True
    has_price = any(measure_of(figure.unit.dimension) == "money" for figure in part.figures)
    return False if has_paying or has_price else None
