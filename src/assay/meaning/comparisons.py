"""Which of two is more: ranks, amounts of two things, and majorities.

"The second-largest lake after Tessel" says that Tessel is larger; "129 euros" and "99 euros" say
which one is cheaper; "62 percent were against it" says what most of them were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure, measure_of
from assay.meaning.parts import Part, Thing, parts_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys, synonyms
from assay.meaning.word_relations import opposites, same_sides
from assay.meaning.words import Word

MOST_WORDS = 40
"""Longer statements are not compared."""
REMEMBERED = 4096
"""So many words are kept of which it is known whether they compare."""
HALF = 50.0
OF = 8
"""So many characters stand between a part and its whole: "70 of the 100"."""
_NONE: frozenset[str] = frozenset()


class Comparison(NamedTuple):
    """Two sides of which one is more of something."""

    quality: str
    """The word that compares, without its ending: cheap for cheaper."""
    more: frozenset[str]
    """The keys of the side that is more; empty for "it"."""
    less: frozenset[str]
    """Empty where it is not named."""


def compared(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | Literal[True] | None:
    """What the passage says to a comparison: True where it is right, else the difference.

    None where the statement compares nothing, or the passage leaves it open.
    """
    if len(claim.words) > MOST_WORDS:
        return None
    verdict: bool | None = None
    if (left := complement(claim, sentences)) is not None:
        return left or _against_all(claim, sentences)
    if not _may_compare(claim):
        return None
    for one in _comparisons(claim):
        verdict = _by_comparison(one, sentences)
        if verdict is None:
            verdict = _by_rank(one, sentences)
        if verdict is None:
            verdict = _by_amounts(one, sentences)
        if verdict is not None:
            break
    if verdict is None:
        verdict = _by_majority(claim, sentences)
    if verdict is None:
        verdict = _by_first_rank(claim, sentences)
    if verdict is None:
        verdict = _by_superlatives(claim, sentences)
    if verdict is None:
        return None
    if verdict != bool(_denied(claim)):
        return True
    return _against_all(claim, sentences)


def _against_all(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference:
    nearest = max(sentences, key=lambda one: len(one.keys & claim.content.keys()))
    spans = (0, len(claim.text), 0, len(nearest.text))
    return ClaimDifference("opposite", claim.text, nearest.text, *spans)


def complement(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """Whether a number is what is left of a whole: of 40, 34 passed, so that six failed.

    None where the statement has no number with the opposite of what a sentence counts.
    """
    counts = [f for f in claim.figures if _measure(f) == "count"]
    if not counts or len(counts) > 2:
        return None
    left = meaning_words().lists["left_over"]
    for sentence in sentences:
        own = [f for f in sentence.figures if _measure(f) == "count" and not f.is_ordinal]
        if len(own) != 2 or own[0].value == own[1].value:
            continue
        if all(any(map(one.equals, own)) for one in counts):
            continue
        is_left = not left.isdisjoint(claim.spellings)
        is_other = any(not _against(key).isdisjoint(sentence.keys) for key in claim.content)
        shared = claim.content.keys() & sentence.keys
        if not shared or not (is_left or is_other):
            continue
        rest = abs(own[0].value - own[1].value)
        return any(one.value == rest for one in counts)
    return None


def _may_compare(claim: TextReading) -> bool:
    lists = meaning_words().lists
    spellings = claim.spellings
    if not lists["counting"].isdisjoint(spellings) or not lists["most"].isdisjoint(spellings):
        return True
    return any(map(_is_degree, [text for text in claim.texts if text.endswith(("er", "est"))]))


@lru_cache(maxsize=REMEMBERED)
def _is_degree(text: str) -> bool:
    """Whether a word is the comparative or superlative of a quality: cheaper, but not order."""
    base = _base(text)
    return base in _qualities() or f"{base}e" in _qualities()


def _denied(claim: TextReading) -> bool:
    return bool(claim.scopes)


def _base(text: str) -> str:
    """A comparative or superlative without its ending; empty for another word."""
    for ending in ("est", "er"):
        if text.endswith(ending) and len(text) > len(ending) + 2:
            own = text.removesuffix(ending)
            own = f"{own[:-1]}y" if own.endswith("i") else own
            return own[:-1] if len(own) > 3 and own[-1] == own[-2] and own[-1] not in "ls" else own
    return ""


def _qualities() -> Mapping[str, Sequence[tuple[str, int]]]:
    return meaning_words().qualities


def _comparisons(reading: TextReading) -> Iterator[Comparison]:
    """The comparisons that a text makes: "A is larger than B", "A is larger"."""
    words = reading.words
    for place in range(len(words)):
        if measured := _measured(words, place):
            than = next((n for n in range(place, len(words)) if words[n].text == "than"), 0)
            left = _telling(words, place - 1, -1)
            yield Comparison(measured, left, _telling(words, than, 1) if than else _NONE)
            continue
        base = _quality(words, place)
        if not base:
            continue
        than = place + 1
        if base in meaning_words().lists["counting"]:
            than = next((n for n in range(place, len(words)) if words[n].text == "than"), 0)
            if not than or than == place + 1:
                continue
            left = _telling(words[:than], place, 1)
            yield Comparison(base, left, _telling(words, than, 1))
            continue
        has_than = than < len(words) and words[than].text == "than"
        left = _telling(words, place, -1)
        right = _telling(words, than, 1) if has_than else _NONE
        yield Comparison(base, left, right)


def _measured(words: Sequence[Word], place: int) -> str:
    """The quality that "costs less" or "weighs more" compares by; empty for other words."""
    if not place or words[place - 1].key not in meaning_words().measuring:
        return ""
    wanted = measured_by(words, place).items()
    named = (name for name, own in _qualities().items() if wanted and wanted <= dict(own).items())
    return next(named, "")


def _quality(words: Sequence[Word], place: int) -> str:
    """The quality that a word compares by; empty for a word that does not compare."""
    text = words[place].text
    if text in _qualities() and place and words[place - 1].text == "more":
        return text
    if text in meaning_words().lists["counting"]:
        return text
    base = _base(text) if text.endswith("er") else ""
    if base in _qualities():
        return base
    return f"{base}e" if f"{base}e" in _qualities() else ""


def measured_by(words: Sequence[Word], place: int) -> Mapping[str, int]:
    """What the word at a place compares by, with 1 for more of it and −1 for less.

    "Heavier" and "weighs more" compare by mass with 1, "weighs less" with −1.
    """
    lists, text = meaning_words().lists, words[place].text
    if place and (text in lists["more"] or text in lists["less"]):
        measure = meaning_words().measuring.get(words[place - 1].key)
        return {measure: -1 if text in lists["less"] else 1} if measure else {}
    quality = _quality(words, place)
    sign = -1 if place and words[place - 1].text in lists["less"] else 1
    return {measure: own * sign for measure, own in _qualities().get(quality, ())}


def _telling(words: Sequence[Word], place: int, step: int) -> frozenset[str]:
    """The content words on one side of a place, in its clause."""
    clause = words[min(place, len(words) - 1)].clause
    keys: list[str] = []
    other = place + step
    light = light_keys()
    while 0 <= other < len(words) and words[other].clause == clause:
        word = words[other]
        if word.text in ("but", "because", "while") and step > 0:
            break
        is_code = word.is_number or (len(word.text) == 1 and word.is_capital)
        if (not word.is_empty and word.key not in light) or is_code:
            keys.append(word.text if word.is_number else word.key)
        other += step
    return frozenset(keys)


def _by_comparison(one: Comparison, sentences: Sequence[TextReading]) -> bool | None:
    """Whether a sentence compares the same two the same way, or the other way from the other side.

    "Ben is younger than Anna" is what "Anna is two years older than Ben" says.
    """
    counting = meaning_words().lists["counting"]
    for sentence in sentences if one.less and one.quality not in counting else ():
        if "than" not in sentence.texts or sentence.scopes:
            continue
        for other in _comparisons(sentence):
            way = _way(one.quality, other.quality)
            if not way or other.quality in counting:
                continue
            mine = one.more - one.less, one.less - one.more
            theirs = other.more - other.less, other.less - other.more
            is_straight = all(not a.isdisjoint(b) for a, b in zip(mine, theirs, strict=True))
            is_turned = all(not a.isdisjoint(b) for a, b in zip(mine, theirs[::-1], strict=True))
            if is_straight != is_turned:
                return is_straight == (way > 0)
    return None


def _way(one: str, other: str) -> int:
    """1 where two qualities grow together, −1 where one falls as the other grows; 0 for others."""
    if one == other:
        return 1
    signs = dict(_qualities().get(one, ()))
    return next((signs[m] * sign for m, sign in _qualities().get(other, ()) if m in signs), 0)


class Rank(NamedTuple):
    """A place behind others: "the second-largest lake after Tessel"."""

    quality: str
    subject: frozenset[str]
    ahead: frozenset[str]


def _ranks(sentence: TextReading) -> Iterator[Rank]:
    lists, words = meaning_words().lists, sentence.words
    ordinals = meaning_words().ordinals
    for place, word in enumerate(words):
        base = _base(word.text) if word.text.endswith("est") else ""
        base = base if base in _qualities() else f"{base}e" if f"{base}e" in _qualities() else ""
        if not base or not place or ordinals.get(words[place - 1].text, 0) < 2:
            continue
        behind = [
            n for n in range(place + 1, len(words)) if words[n].text in lists["ranked_behind"]
        ]
        ahead = (
            frozenset(w.key for w in words[behind[0] + 1 :] if w.is_capital) if behind else _NONE
        )
        subject = frozenset(w.key for w in words[: place - 1] if not w.is_empty)
        yield Rank(base, subject, ahead)


def _by_rank(one: Comparison, sentences: Sequence[TextReading]) -> bool | None:
    """Whether a comparison fits a rank; None where none is about it."""
    for sentence in sentences:
        if not any(word.text.endswith("est") for word in sentence.words):
            continue
        for rank in _ranks(sentence):
            if rank.quality != one.quality or not rank.ahead:
                continue
            own = rank.subject - rank.ahead
            more, less = one.more - rank.subject & rank.ahead, one.less & rank.ahead
            if less - rank.subject and (not one.more or one.more & own):
                return False
            if more - rank.subject and (not one.less or one.less & own):
                return True
    return None


def _by_first_rank(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """False for "it is the largest" where it is said to be the second-largest."""
    ordinals, words = meaning_words().ordinals, claim.words
    for place, word in enumerate(words):
        base = _base(word.text) if word.text.endswith("est") else ""
        if not base or (place and ordinals.get(words[place - 1].text, 0) > 1):
            continue
        base = base if base in _qualities() else f"{base}e"
        if base not in _qualities():
            continue
        own = frozenset(w.key for w in words[:place] if not w.is_empty) - light_keys()
        for sentence in sentences:
            for rank in _ranks(sentence):
                if rank.quality == base and own <= rank.subject:
                    return False
    return None


def _by_superlatives(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """Whether the thing that is called the cheapest has the least amount of all of its kind."""
    verdict: bool | None = None
    for part in parts_of(claim):
        words = [word for word in claim.words if part.start <= word.start < part.end]
        quality = next((found for n in range(len(words)) if (found := _superlative(words, n))), "")
        if not quality or len(part.things) != 1:
            continue
        (thing,) = part.things
        is_most = _is_most(thing, quality, sentences)
        if is_most is not True:
            return is_most
        verdict = True
    return verdict


def _superlative(words: Sequence[Word], place: int) -> str:
    """The quality of "cheapest" or "most expensive"; empty for another word."""
    text = words[place].text
    before = words[place - 1].text if place else ""
    if meaning_words().ordinals.get(before, 0) > 1:
        return ""
    if before == "most":
        return text if text in _qualities() else ""
    base = _base(text) if text.endswith("est") else ""
    return next((one for one in (base, f"{base}e") if one in _qualities()), "")


def _is_most(thing: Thing, quality: str, sentences: Sequence[TextReading]) -> bool | None:
    """Whether a thing has most of a quality among all of its kind; None without their amounts."""
    parts = [part for sentence in sentences for part in parts_of(sentence)]
    for measure, sign in _qualities()[quality]:
        amounts: list[tuple[bool, float]] = []
        for part in parts:
            kinds = [one for one in part.things if one.kind == thing.kind]
            own = [f for f in part.figures if _measure(f) == measure]
            if own and (len(kinds) > 1 or len(own) > 1):
                return None
            amounts += [(thing.is_same(kinds[0]), sign * _amount(f)) for f in own if kinds]
        mine = [amount for is_own, amount in amounts if is_own]
        others = [amount for is_own, amount in amounts if not is_own]
        if len(mine) == 1 and others:
            return mine[0] > max(others)
    return None


def _by_amounts(one: Comparison, sentences: Sequence[TextReading]) -> bool | None:
    """Whether the amounts of two things fit a comparison; None unless each has just one."""
    parts = [
        part._replace(sentence=number)
        for number, sentence in enumerate(sentences)
        for part in parts_of(sentence)
    ]
    known = frozenset().union(*[sentence.keys for sentence in sentences])
    both = one.more & one.less
    more, less = (one.more & known) - both, (one.less & known) - both
    if not one.less:
        more, less = _only_rival(one.more, parts)
    if not more or not less:
        return None
    for measure, sign in _qualities()[one.quality]:
        left = _amounts(more - less, measure, parts, sentences)
        right = _amounts(less - more, measure, parts, sentences)
        if len(left) == len(right) == 1 and left != right:
            return (left.pop() > right.pop()) == (sign > 0)
    return None


def _only_rival(
    own: frozenset[str], parts: Sequence[Part]
) -> tuple[frozenset[str], frozenset[str]]:
    """The name of a thing that is compared with the only other one of its kind, and that one's."""
    things = {thing for part in parts for thing in part.things}
    mine = [thing for thing in things if _names(thing) <= own]
    for thing in mine:
        rivals = [other for other in things if thing.rivals(other)]
        if len(rivals) == 1:
            return _names(thing), _names(rivals[0])
    return _NONE, _NONE


def _names(thing: Thing) -> frozenset[str]:
    """The words by which a thing is named, as comparisons have them."""
    return frozenset(one.upper() if len(one) == 1 else one for one in thing.name)


def _amounts(
    keys: frozenset[str], measure: str, parts: Sequence[Part], sentences: Sequence[TextReading]
) -> set[float]:
    """The amounts of one measure that are said of something."""
    found: set[float] = set()
    subject = -1
    number = -1
    for place, part in enumerate(parts):
        words = sentences[part.sentence].words
        named = {w.key for w in words if part.start <= w.start < part.end}
        named |= {w.text for w in words if w.is_number and part.start <= w.start < part.end}
        if keys and keys <= named:
            subject, number = place, part.sentence
        is_own = subject == place or (
            subject >= 0 and part.sentence == number and not part.things and place - subject <= 2
        )
        if is_own:
            own = [f for f in part.figures if _measure(f) == measure]
            found |= {_amount(f) for f in (own[:1] if _is_share(own) else own)}
    return found


def _is_share(figures: Sequence[Figure]) -> bool:
    """Whether two counts are a part and its whole, as in "70 of 100"."""
    return (
        len(figures) == 2
        and figures[0].value < figures[1].value
        and (figures[1].start - figures[0].end <= OF)
    )


def _amount(figure: Figure) -> float:
    return figure.value * figure.unit.factor


def _measure(figure: Figure) -> str:
    if figure.kind != "number" or figure.is_ordinal:
        return ""
    return measure_of(figure.unit.dimension) if figure.unit.dimension else "count"


def _by_majority(claim: TextReading, sentences: Sequence[TextReading]) -> bool | None:
    """Whether "most" fits the percentages; None where there are none about it."""
    most = meaning_words().lists["most"]
    if most.isdisjoint(claim.spellings):
        return None
    listed = {word.key for word in claim.words if word.text in most or word.bare in most}
    wanted = claim.content.keys() - listed - light_keys()
    for sentence in sentences:
        shares = [f for f in sentence.figures if f.unit.dimension == "%"]
        if not shares and (own_share := _counted_share(claim, sentence, sentences)) is not None:
            return own_share > HALF
        if not shares or not wanted & sentence.keys:
            continue
        for part in parts_of(sentence):
            own = [f for f in part.figures if f.unit.dimension == "%"]
            if len(own) != 1:
                continue
            here = {w.key for w in sentence.words if part.start <= w.start < part.end}
            keys = frozenset(here)
            lacking = [key for key in wanted if not is_said(key, sentence.keys)]
            against = [key for key in wanted if not _against(key).isdisjoint(keys)]
            said = [key for key in wanted if is_said(key, keys)]
            if against and len(lacking) <= len(against):
                return own[0].value < HALF
            if len(said) == len(wanted) or (said and not lacking and len(shares) == 1):
                return own[0].value > HALF
    return None


def _counted_share(
    claim: TextReading, sentence: TextReading, sentences: Sequence[TextReading]
) -> float | None:
    """The percentage of "three of them", where the whole is a number of the passage."""
    if "of" not in sentence.texts or not sentence.figures:
        return None
    words = sentence.words
    for place, word in enumerate(words[:-2]):
        figure = next((f for f in sentence.figures if f.start == word.start), None)
        if figure is None or _measure(figure) != "count" or words[place + 1].text != "of":
            continue
        said = {w.key for w in words[place + 2 :] if w.clause == word.clause and not w.is_empty}
        denied = any(scope.place > place for scope in sentence.scopes)
        if denied or not said or not said - light_keys() <= claim.asserted.keys():
            continue
        whole = [f.value for one in sentences for f in one.figures if _measure(f) == "count"]
        if max(whole) > figure.value and not claim.scopes:
            return 100.0 * figure.value / max(whole)
    return None


def is_said(key: str, keys: frozenset[str]) -> bool:
    """Whether a word, or one of like meaning, is among keys."""
    near = synonyms().get(key, _NONE) | same_sides().get(key, _NONE)
    return key in keys or not near.isdisjoint(keys)


def _against(key: str) -> frozenset[str]:
    return opposites().get(key, _NONE)
