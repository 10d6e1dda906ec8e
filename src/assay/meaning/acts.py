"""Who does what: the verbs of a text, in the active or the passive voice, and who acts.

There is no parser here. An English verb is known by its form ("was founded", "supervised by") or
because the other text has it as one; an Arabic verb opens its clause. What stands before and
behind it, up to the next small word, is who acts and what is acted on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.data.wordnet import irregular_forms
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys, synonyms
from assay.meaning.word_relations import converses
from assay.meaning.words import Word, arabic_root

MOST_WORDS = 60
"""Longer texts are not compared, so that time stays linear."""
BETWEEN = 3
"""So many adverbs and the like may stand between "was" and its verb."""
TIMES = ("duration", "calendar")
"""What days and years are measured in."""
_NONE: frozenset[str] = frozenset()


class Act(NamedTuple):
    """A verb with those whom it binds, as the keys of their words."""

    verb: Word
    agent: frozenset[str]
    """Who does it; empty where that is not said."""
    patient: frozenset[str]
    """What it is done to."""
    partner: frozenset[str]
    """Behind "to", "from", "against": the other side of a sale or a match."""
    is_sure: bool
    """Whether its form is that of a verb, and not that of a noun in the plural."""
    is_named: bool = False
    """Whether "by" names who acts."""
    around: frozenset[str] = frozenset()
    """The content words behind it in its clause, and those it is done to."""


def other_agent(
    claim: TextReading, sentence: TextReading, window: Sequence[TextReading] = ()
) -> ClaimDifference | None:
    """A verb of both texts that the statement gives to another one than the sentence does.

    "Founded by Ida Falk and taken over by the city" says of "The city founded it" that it was
    another: the city stands in the sentence, with another verb.
    """
    if claim.scopes or sentence.scopes or max(len(claim.words), len(sentence.words)) > MOST_WORDS:
        return None
    for own, other in _pairs(claim, sentence):
        theirs = [act for act in _acts_of(sentence, other) if act.agent]
        for act in _acts_of(claim, own) if theirs else ():
            same = [other for other in theirs if _is_shared(act, other)]
            theirs = same or theirs
            if not act.agent or not any(act.is_sure or other.is_sure for other in theirs):
                continue
            is_other = all(_are_others(act.agent, other.agent) for other in theirs)
            if is_other and _has_other_role(act.agent, theirs, sentence, window):
                quoted = claim.quote(act.verb.start, act.verb.end)
                return _difference(claim, sentence, quoted)
    return None


def other_author(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A verb of the statement that a sentence gives to another one, behind "by"."""
    by = meaning_words().lists["agent_marks"]
    for sentence in sentences:
        if not by.isdisjoint(sentence.texts) and (one := other_agent(claim, sentence, sentences)):
            return one
    return None


def _is_shared(act: Act, other: Act) -> bool:
    """Whether two verbs are done to the same."""
    return bool(act.patient and other.around) and act.patient <= other.around


def _has_other_role(
    agent: frozenset[str],
    acts: Sequence[Act],
    sentence: TextReading,
    window: Sequence[TextReading],
) -> bool:
    """Whether one is what a verb is done to, or acts in another verb of the sentence."""
    for act in acts:
        own = agent - act.agent
        if own and own <= act.patient | act.partner:
            return True
        if act.is_named and any(agent <= one.keys for one in (sentence, *window)):
            return True
    verbs = {act.verb.key for act in acts}
    others = {key for key, _ in _verb_words(sentence)}
    if any(agent == act.agent for key in verbs for act in _acts_of(sentence, key)):
        return True
    others -= verbs
    known = (act for key in others for act in _acts_of(sentence, key) if act.is_sure)
    return any(agent == act.agent for act in known)


def converse_roles(claim: TextReading, sentence: TextReading) -> bool | None:
    """Whether a verb seen from the other side has its two sides right; None without such a verb.

    "A sold it to B" is "B bought it from A", and not "A bought it from B".
    """
    if max(len(claim.words), len(sentence.words)) > MOST_WORDS:
        return None
    if claim.text.isascii():
        links = converses()
        verbs = links.keys() & claim.content.keys()
        if all(links[key].isdisjoint(sentence.keys) for key in verbs):
            return None
    else:
        links = _converse_roots()
    for own, _ in _verb_words(claim):
        others = links.get(own, _NONE)
        for other, _ in _verb_words(sentence):
            if other not in others:
                continue
            for act in _acts_of(claim, own):
                for act_ in _acts_of(sentence, other):
                    if act.agent and act_.agent:
                        if act.agent == act_.agent:
                            return False
                        sides = act_.partner | act_.patient
                        if act.agent & sides and _are_others(act.agent, act_.agent):
                            return True
    return None


def _difference(claim: TextReading, sentence: TextReading, quoted: str) -> ClaimDifference:
    spans = (0, len(claim.text), 0, len(sentence.text))
    return ClaimDifference("roles", f"who {quoted!r}", sentence.text, *spans)


def _are_others(one: frozenset[str], two: frozenset[str]) -> bool:
    """Whether two sets of words name different ones."""
    titles = meaning_words().lists["titles"]
    a, b = one - two - titles, two - one - titles
    known = synonyms()
    if any(not known.get(key, _NONE).isdisjoint(b) for key in a):
        return False
    is_arabic = any(not key.isascii() for key in one)
    return bool(a) and bool(b) and (is_arabic or not (one & two) - titles)


def _pairs(claim: TextReading, sentence: TextReading) -> Iterator[tuple[str, str]]:
    """The verbs of both texts that say the same."""
    known = synonyms()
    is_ascii = sentence.text.isascii()
    others = sentence.keys if is_ascii else {key for key, _ in _verb_words(sentence)}
    for own, word in _verb_words(claim):
        same = (own,) if own in others else known.get(own, _NONE) & others
        if same and _may_act(claim, word):
            for other in same:
                yield own, other


def _may_act(reading: TextReading, word: Word) -> bool:
    """Whether a word has the form of a verb; an Arabic one may be one anyway."""
    if not reading.text.isascii():
        return True
    is_form = word.text.endswith(("ed", "s")) or word.text in _past_forms()
    if not is_form and _leading().isdisjoint(reading.texts):
        return False
    return _is_verb(reading.words, reading.words.index(word))


def _verb_words(reading: TextReading) -> list[tuple[str, Word]]:
    """The keys of words that may be verbs; for Arabic their roots."""
    if reading.text.isascii():
        light = light_keys()
        return [
            (word.key, word)
            for word in reading.words
            if not word.is_empty and word.key not in light and not word.is_number
        ]
    first = [
        word
        for place, word in enumerate(reading.words)
        if not word.is_empty
        and not word.has_article
        and (not place or reading.words[place - 1].clause != word.clause or _is_joined(word))
    ]
    roots = [(arabic_root(word.bare), word) for word in first]
    return [(root, word) for root, word in roots if root]


def _is_joined(word: Word) -> bool:
    return word.text != word.bare and word.text.startswith("و")


def _acts_of(reading: TextReading, key: str) -> list[Act]:
    """The acts of a verb in a text."""
    words = reading.words
    result: list[Act] = []
    is_ascii = reading.text.isascii()
    for place, word in enumerate(words):
        if is_ascii:
            if word.key == key and not word.is_empty and _is_verb(words, place):
                result.append(_act(words, place))
        elif word.bare and arabic_root(word.bare) == key and not word.has_article:
            result.append(_arabic_act(words, place))
    return result


def _is_verb(words: Sequence[Word], place: int) -> bool:
    """Whether a word has the form of a verb, and stands where one may."""
    text = words[place].text
    if words[place].is_capital or text.endswith("ing"):
        return False
    is_form = text.endswith(("ed", "s")) or text in _past_forms()
    before = words[place - 1] if place else None
    if before is None or before.text in meaning_words().lists["articles"]:
        return False
    if before.text in _leading() or _is_passive(words, place):
        return True
    return is_form and not (before.is_empty and before.text in meaning_words().lists["governing"])


def _is_passive(words: Sequence[Word], place: int) -> bool:
    """Whether a form of "be" stands before a verb, or "by" right behind it."""
    text = words[place].text
    if not (text.endswith("ed") or text in _past_forms()):
        return False
    being = meaning_words().lists["being"]
    own = words[place].clause
    for word in reversed(words[max(0, place - BETWEEN) : place]):
        if word.clause != own:
            break
        if word.text in being:
            return True
        if not (word.is_empty or word.text.endswith("ly")):
            break
    end = _agent_place(words, place)
    return end is not None and all(w.is_empty or w.is_number for w in words[place + 1 : end])


def _agent_place(words: Sequence[Word], place: int) -> int | None:
    """Where "by" stands behind a verb, before the next verb; None without it."""
    own = words[place]
    joining = meaning_words().lists["joining"]
    for other in range(place + 1, len(words)):
        word = words[other]
        if word.clause != own.clause or word.text in joining:
            return None
        if word.text == "by":
            follows = words[other + 1] if other + 1 < len(words) else None
            return None if follows is None or follows.is_number else other
    return None


def _act(words: Sequence[Word], place: int) -> Act:
    before = _without_owners(words, place, _before(words, place))
    if _is_passive(words, place):
        start = _agent_place(words, place)
        agent = _phrase(words, start + 1) if start is not None else _NONE
        return Act(words[place], agent, before, _partner(words, place), True, bool(agent), before)
    is_sure = words[place].text.endswith("ed") or words[place].text in _past_forms()
    behind = _phrase(words, place + 1)
    clause = words[place].clause
    rest = [w.key for w in words[place + 1 :] if w.clause == clause and not w.is_empty]
    around = frozenset(rest)
    return Act(words[place], before, behind, _partner(words, place), is_sure, around=around)


def _without_owners(words: Sequence[Word], place: int, keys: frozenset[str]) -> frozenset[str]:
    """Who acts, without the one to whom he belongs: "Anna's brother" is the brother."""
    owners = {w.key for w in words[:place] if w.text.endswith("'s") and w.key in keys}
    start = max((w.start for w in words[:place] if w.key in owners), default=-1)
    return frozenset(w.key for w in words[:place] if w.key in keys and w.start > start)


def _before(words: Sequence[Word], place: int) -> frozenset[str]:
    """The content words before a verb in its part of the sentence; those of the part before else.

    What stands behind "in", "on" and the like says where, and is left.
    """
    lists = meaning_words().lists
    clause = words[place].clause
    found: set[str] = set()
    run: list[str] = []
    for number in range(place - 1, -1, -1):
        word = words[number]
        if word.clause != clause and found | set(run):
            break
        if word.text in lists["joining"] and (found or run):
            if joins_names(words, number):
                continue
            break
        clause = word.clause
        if word.is_empty:
            if word.text in lists["governing"]:
                run = []
            else:
                found.update(run)
                run = []
        elif word.is_capital or not (word.is_number or word.text.endswith("ly")):
            run.append(word.key)
    return frozenset(found | set(run)) - light_keys()


def _phrase(words: Sequence[Word], start: int) -> frozenset[str]:
    """The content words from a place on, up to the next small word that is no article."""
    keys: list[str] = []
    clause = words[start - 1].clause if start else 0
    articles = meaning_words().lists["articles"]
    for place, word in enumerate(words[start:], start):
        if word.clause == clause and place > start and joins_names(words, place):
            continue
        if word.clause != clause or (word.is_empty and word.text not in articles):
            break
        if not word.is_empty and not word.is_number:
            keys.append(word.key)
    return frozenset(keys) - light_keys()


def joins_names(words: Sequence[Word], place: int) -> bool:
    """Whether a word joins two names: "Laura and Miguel"."""
    if words[place].text not in meaning_words().lists["and"] or not 0 < place < len(words) - 1:
        return False
    return words[place - 1].is_capital and words[place + 1].is_capital


def _partner(words: Sequence[Word], place: int) -> frozenset[str]:
    """What stands behind "to", "from" or "against" in the clause of a verb."""
    partners = meaning_words().lists["partners"]
    clause = words[place].clause
    for other in range(place + 1, len(words)):
        if words[other].clause != clause:
            break
        if words[other].text in partners:
            return _phrase(words, other + 1)
    return _NONE


def _arabic_act(words: Sequence[Word], place: int) -> Act:
    """The one or two words behind an Arabic verb that name who acts, and what follows them."""
    behind = [w for w in words[place + 1 :] if w.clause == words[place].clause]
    plain: list[Word] = []
    for word in behind:
        if word.is_empty:
            break
        plain.append(word)
    size = 1
    if len(plain) > 1:
        is_named_twice = sum(word.key == plain[0].key for word in behind) > 1
        # "the red team" beside "the blue team", but not the object of "the man sold the car"
        size += plain[0].has_article != plain[1].has_article or is_named_twice
    if plain and _is_time(plain[0]):
        size = 0
    agent = frozenset(word.key for word in plain[:size])
    rest = frozenset(word.key for word in behind if not word.is_empty) - agent
    stripped = frozenset(key[1:] for key in rest if key[0] == "ل" and len(key) > 3)
    return Act(words[place], agent, rest | stripped, rest | stripped, True)


def _is_time(word: Word) -> bool:
    """Whether a word behind a verb says when, not who: "ends on the 20th"."""
    table = meaning_words()
    is_unit = word.bare in table.units and table.units[word.bare].dimension in TIMES
    return word.is_number or is_unit or word.bare in table.weekdays or word.bare in table.months


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(irregular_forms()) | meaning_words().lists["same_in_past"]


@cache
def _leading() -> frozenset[str]:
    """Words right before a verb."""
    return meaning_words().lists["before_verbs"]


@cache
def _converse_roots() -> Mapping[str, frozenset[str]]:
    """The roots of Arabic verbs → those that say the same from the other side."""
    result: dict[str, set[str]] = {}
    for one, other in meaning_words().converses:
        if one.isascii():
            continue
        a, b = arabic_root(one), arabic_root(other)
        if a and b and a != b:
            result.setdefault(a, set()).add(b)
            result.setdefault(b, set()).add(a)
    return {key: frozenset(others) for key, others in result.items()}
