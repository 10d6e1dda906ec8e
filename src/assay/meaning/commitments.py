"""How far a statement commits itself: plans, conditions, permissions and exemptions.

What a passage only plans, allows on a condition or denies to some, a statement may not give as
certain, without the condition, or to those very people.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal

from assay.data.meaning import meaning_words
from assay.data.wordnet import irregular_forms
from assay.meaning.claim_difference import ClaimDifference, DifferenceKind
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import derived, has_root, light_keys, synonyms
from assay.meaning.word_relations import list_keys
from assay.meaning.words import Word

MOST_WORDS = 40
"""Longer statements are not compared."""
SAME = 0.5
"""Share of a statement's words that a sentence must have to be about the same."""
MOST_NAMED = 2
"""Content words that a thing in a list has at most; more are a statement of their own."""
REMEMBERED = 256
"""So many sentences are kept: all statements about them read them."""
FORMS = 4096
"""So many words are kept with their forms."""
_NONE: frozenset[str] = frozenset()


def overstated(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A statement that is certain, or free of conditions, of what a sentence leaves open."""
    lists = meaning_words().lists
    words = claim.spellings
    is_certain = not lists["certain"].isdisjoint(words)
    is_even_if = _says_even_if(claim)
    is_free = is_even_if or not lists["regardless"].isdisjoint(words)
    if not (is_certain or is_free) or len(claim.words) > MOST_WORDS:
        return None
    limiting = lists["open"] - meaning_words().polar if is_even_if else lists["open"]
    limiting |= _NONE if is_even_if else lists["conditions"]
    if not limiting.isdisjoint(words) or (claim.scopes and not is_free):
        return None
    for sentence in sentences:
        bound = lists["conditions"] | (lists["open"] if is_certain else _NONE)
        own = bound & sentence.spellings
        if is_even_if and _is_waived(claim, sentence):
            return _whole("certainty", claim, sentence)
        if is_even_if and _allows_as_much(claim, sentence):
            return None
        if own and _share(claim, sentence) >= SAME and lists["certain"].isdisjoint(sentence.texts):
            return _whole("certainty", claim, sentence)
    return None


def _says_even_if(claim: TextReading) -> bool:
    """Whether a statement holds "even if" or "even without" something."""
    return bool(_even_if(claim))


def _even_if(claim: TextReading) -> AbstractSet[str]:
    """The words behind "even if", "even when", "even though" or "even without" in its clause."""
    lists = meaning_words().lists
    if lists["even"].isdisjoint(claim.texts):
        return _NONE
    openings = lists["clause_conditions"] | lists["without"] | {"though"}
    words = [word for word in claim.words if word.text != "من"]  # "from" of حتى من دون
    for place, (one, two) in enumerate(pairwise(words)):
        if one.text in lists["even"] and two.text in openings:
            return {word.key for word in words[place + 2 :] if word.clause == two.clause}
    return _NONE


def _is_waived(claim: TextReading, sentence: TextReading) -> bool:
    """Whether something holds "even without" what a sentence makes its condition."""
    lists = meaning_words().lists
    waived = _even_if(claim) - light_keys()
    if not waived or lists["without"].isdisjoint(claim.texts):
        return False
    first = next((w for w in sentence.words if w.text in lists["conditions"]), None)
    if first is None:
        return False
    behind = [w.key for w in sentence.words if w.start > first.start and w.clause == first.clause]
    return waived <= {*behind}


def _allows_as_much(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence says "even if" too, or names the same condition: "if the power fails"."""
    if _share(claim, sentence) < SAME:
        return False
    if _says_even_if(sentence):
        return True
    is_unless = not meaning_words().lists["unless"].isdisjoint(sentence.spellings)
    if is_unless or len(claim.scopes) != len(sentence.scopes):
        return False
    return _even_if(claim) & claim.content.keys() <= sentence.keys


def done_already(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A statement that something was done which a sentence only plans: "is to be built"."""
    planned = [one for one in sentences if _plan(one) is not None]
    if not planned or claim.denies or len(claim.words) > MOST_WORDS:
        return None
    if not _uncertain().isdisjoint(claim.spellings):
        return None
    for word in claim.words:
        if word.is_empty or not _is_past(claim, word):
            continue
        for sentence in planned:
            if _is_planned(word, sentence) and _share(claim, sentence) >= SAME:
                return _whole("certainty", claim, sentence)
    return None


@cache
def _uncertain() -> frozenset[str]:
    """Words of plans, doubts and conditions; "may" is left out, which is a month, too."""
    lists = meaning_words().lists
    return (lists["intending"] | lists["open"] | lists["conditions"]) - {"may"}


def met_condition(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A statement that something was done which a sentence only makes a condition.

    "It opens in May, provided that the council agrees" does not say "The council agreed".
    """
    conditions = meaning_words().lists["conditions"]
    if all(map(conditions.isdisjoint, [sentence.spellings for sentence in sentences])):
        return None
    if claim.denies or len(claim.words) > MOST_WORDS:
        return None
    if not _conditional().isdisjoint(claim.spellings):
        return None
    past = {word.key for word in claim.words if not word.is_empty and _is_past(claim, word)}
    said = claim.content.keys() - light_keys()
    if past.isdisjoint(said):
        return None
    bound: TextReading | None = None
    for sentence in sentences:
        if not said <= sentence.keys:
            continue
        if not said <= _keys_of_condition(sentence):
            return None
        bound = bound or sentence
    return _whole("certainty", claim, bound) if bound else None


@cache
def _conditional() -> frozenset[str]:
    """Words that leave open whether something is so."""
    lists = meaning_words().lists
    return lists["conditions"] | lists["clause_conditions"] | lists["open"]


def _keys_of_condition(sentence: TextReading) -> frozenset[str]:
    """The words behind "if" or "provided" in its clause; empty without such a word."""
    conditions = meaning_words().lists["conditions"]
    first = next((word for word in sentence.words if word.text in conditions), None)
    if first is None:
        return _NONE
    behind = [w for w in sentence.words if w.start > first.start and w.clause == first.clause]
    return frozenset(word.key for word in behind)


def _is_past(claim: TextReading, word: Word) -> bool:
    """Whether a word is a verb that tells what was done: "built", but not "to be built"."""
    if not word.text.isascii():
        return word is claim.words[0] and word.text[0] not in _PREFIXES
    if any(before.text == "be" for before in claim.words if 0 < word.start - before.end < 2):
        return False
    base = irregular_forms().get(word.text)
    is_form = base is not None and base != word.text and not word.text.endswith(_NO_PAST)
    return is_form or word.text.endswith("ed")


_NO_PAST = ("s", "er", "est")
"""Ends of other irregular forms: does, better, best."""
_PREFIXES = frozenset("يتنس")
"""First letters of Arabic verbs that tell what is or will be done."""


@lru_cache(maxsize=REMEMBERED)
def _plan(sentence: TextReading) -> int | None:
    """The place of a word such as "plans", or of "to" in "is to open"; None without one."""
    lists = meaning_words().lists
    if lists["intending"].isdisjoint(sentence.texts) and "to" not in sentence.texts:
        return None
    before = ""
    for place, word in enumerate(sentence.words):
        if word.text in lists["intending"] or (word.text == "to" and before in lists["being"]):
            return place
        before = word.text
    return None


def _is_planned(word: Word, sentence: TextReading) -> bool:
    """Whether a sentence has a verb only behind a word such as "plans", in its clause."""
    place = _plan(sentence)
    assert place is not None
    same = [
        own
        for own in sentence.words
        if own.key == word.key or (not own.text.isascii() and has_root(word.key, (own.key,)))
    ]
    clause = sentence.words[place].clause
    behind = [own for own in sentence.words[place + 1 :] if own.clause == clause]
    if sentence.words[place].text == "to":  # "is to open", "is to be opened"
        behind = behind[:2]
    return bool(same) and all(own in behind for own in same)


def permitted_to_excluded(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | None:
    """A statement that allows something to those to whom a sentence denies it.

    "Guests are not admitted" is against "It can be used by residents and guests".
    """
    lists = meaning_words().lists
    if lists["permitting"].isdisjoint(claim.spellings) or claim.denies:
        return None
    if len(claim.words) > MOST_WORDS:
        return None
    for sentence in sentences:
        for excluded in _excluded(sentence):
            if excluded and excluded <= claim.asserted.keys():
                return _whole("negation", claim, sentence)
    return None


def done_by_none(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What a short sentence says of nobody, and the statement of some: "nobody was injured"."""
    nobody = meaning_words().lists["nobody"]
    if all(map(nobody.isdisjoint, [sentence.spellings for sentence in sentences])):
        return None
    if claim.denies or not nobody.isdisjoint(claim.spellings):
        return None
    for sentence in sentences:
        if nobody.isdisjoint(sentence.spellings) or len(sentence.words) > MOST_WORDS // 2:
            continue
        for scope in sentence.scopes:
            if sentence.words[scope.place].text not in nobody:
                continue
            denied = list(sentence.scope_keys(scope).keys() - light_keys())
            if len(denied) == 1 and not forms_of(denied[0]).isdisjoint(claim.asserted):
                return _whole("negation", claim, sentence)
    return None


def denied_alike(claim: TextReading, sentences: Sequence[TextReading]) -> bool:
    """Whether a short statement denies one thing that a sentence denies, too: "no injuries"."""
    own = [key for scope in claim.scopes for key in claim.scope_keys(scope)]
    own = [key for key in own if key not in light_keys()]
    if len(own) != 1 or len(claim.content) > len(own) + 1:
        return False
    forms = forms_of(own[0])
    return any(
        not forms.isdisjoint(sentence.scope_keys(scope))
        for sentence in sentences
        for scope in sentence.scopes
    )


@lru_cache(maxsize=FORMS)
def forms_of(key: str) -> frozenset[str]:
    """A word, those of like meaning, and those that are derived from it: injury, injure, hurt."""
    near = derived().get(key, _NONE) | {key}
    others = [synonyms().get(one, _NONE) for one in near]
    return near.union(*others)


def said_of_denied(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """All that a short sentence denies, and a statement says: "not permitted on express trains"."""
    if claim.denies or len(claim.words) > MOST_WORDS:
        return None
    light = _light_or_permitting()
    for sentence in sentences:
        if not sentence.scopes or len(sentence.words) > MOST_WORDS // 2:
            continue
        for scope in sentence.scopes:
            denied = sentence.scope_keys(scope).keys() - light
            is_said = len(denied) > 1 and denied <= claim.asserted.keys()
            if is_said and not _also_said(sentence, denied):
                return _whole("negation", claim, sentence)
    return None


def _also_said(sentence: TextReading, keys: AbstractSet[str]) -> bool:
    return any(key in sentence.asserted for key in keys)


@cache
def _light_or_permitting() -> frozenset[str]:
    return light_keys() | list_keys("permitting", "admitting")


def kept_for_others(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What a sentence says of one name only, and the statement of another: "for iPhone only"."""
    only = meaning_words().lists["only"]
    limiting = [sentence for sentence in sentences if not only.isdisjoint(sentence.spellings)]
    if not any(sentence.names for sentence in limiting):
        return None
    known = frozenset().union(*[sentence.names.keys() for sentence in sentences])
    names = claim.names.keys() | {w.key for w in claim.words if w.is_capital and w.key in known}
    if claim.denies or not names or len(claim.words) > MOST_WORDS:
        return None
    for sentence in limiting:
        words = sentence.words
        for place, word in enumerate(words):
            if word.text not in only:
                continue
            beside = [w for w in words[max(0, place - 1) : place + 3] if w.clause == word.clause]
            kept = {w.key for w in beside if w.key in sentence.names}
            said = (claim.content.keys() & sentence.keys) - names - light_keys()
            if kept and kept.isdisjoint(claim.keys) and said:
                return _whole("negation", claim, sentence)
    return None


def said_of_all(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What a statement says of both or all, and a sentence denies to one: "…, which is not"."""
    lists = meaning_words().lists
    if lists["whole"].isdisjoint(claim.spellings) and lists["two"].isdisjoint(claim.spellings):
        return None
    if claim.scopes:
        return None
    for sentence in sentences:
        ends = [scope for scope in sentence.scopes if scope.last <= scope.place]
        if ends and _share(claim, sentence) >= SAME:
            return _whole("negation", claim, sentence)
    return None


def _excluded(sentence: TextReading) -> list[frozenset[str]]:
    """Whom a sentence denies a permission: the words before the negation in its part."""
    found: list[frozenset[str]] = []
    if not sentence.scopes:
        return found
    lists = meaning_words().lists
    words = sentence.words
    for scope in sentence.scopes:
        if scope.last <= scope.place:
            found.append(frozenset(sentence.scope_keys(scope)) - light_keys())
            continue
        verb = words[scope.first] if scope.first < scope.last else None
        if verb is not None and verb.bare in lists["admitting"] and not verb.text.isascii():
            found += _named_behind(words, scope.first)
            continue
        denied = {w.text for w in words[max(0, scope.place - 1) : scope.last]}
        if lists["permitting"].isdisjoint(denied) and lists["admitting"].isdisjoint(denied):
            continue
        if any(f.start > words[scope.place].start for f in sentence.figures):
            continue
        behind = [w for w in words[scope.first : scope.last] if not w.is_empty]
        if len(behind) > 1:
            continue
        found += _named_before(words, scope.place)
    return found


def _named_behind(words: Sequence[Word], place: int) -> list[frozenset[str]]:
    """The keys of each thing of an Arabic list that stands behind a verb in its clause."""
    things: list[list[str]] = [[]]
    nor = meaning_words().lists["nor"]
    for word in words[place + 1 :]:
        if word.clause != words[place].clause:
            break
        if word.text in nor or (word.text != word.bare and word.text.startswith("و")):
            things.append([])
        if not word.is_empty and word.text not in nor and word.key not in light_keys():
            things[-1].append(word.key)
    return [frozenset(thing) for thing in things if thing]


def _named_before(words: Sequence[Word], place: int) -> list[frozenset[str]]:
    """The keys of each thing of a list that stands before a word in its clause.

    "Individuals and companies are not …" names two; what stands before "and" with a verb of its own
    is another statement.
    """
    things: list[list[str]] = [[]]
    verbs = meaning_words().lists["being"] | meaning_words().polar
    is_behind_joint = False
    for word in reversed(words[:place]):
        if word.clause != words[place].clause or word.text == "but":
            break
        if word.text in ("and", "or", "nor"):
            things.append([])
            is_behind_joint = True
        elif is_behind_joint and word.text in verbs:
            return [frozenset(things[0])]
        elif not word.is_empty and word.key not in light_keys():
            things[-1].append(word.key)
    is_list = all(len(thing) <= MOST_NAMED for thing in things[1:])
    return [frozenset(thing) for thing in (things if is_list else things[:1])]


def exempted(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | Literal[True] | None:
    """What a statement makes of those who are exempt from what another sentence demands.

    A difference where it demands it of them, True where it says that they are free of it, None
    where it says nothing of them.
    """
    exempt = meaning_words().lists["exempt"]
    for sentence in sentences:
        if exempt.isdisjoint(sentence.spellings) or sentence.denies or len(sentence.words) > 20:
            continue
        words = sentence.words
        first = next(
            n for n, own in enumerate(words) if not exempt.isdisjoint((own.text, own.bare))
        )
        is_arabic = not words[first].text.isascii()  # there the verb stands before them
        things = [*_named_before(words, first), _keys_before(words, first)]
        things = _named_behind(words, first) if is_arabic else things
        freed = next((own for own in things if own and own <= claim.keys), None)
        if freed is None:
            continue
        ruled = [one for one in sentences if one is not sentence or is_arabic]
        rest = claim.content.keys() - freed - light_keys()
        if not rest or not any(_has_all(rest, one) for one in ruled):
            continue
        return True if claim.denies else _whole("negation", claim, sentence)
    return None


def _has_all(keys: AbstractSet[str], sentence: TextReading) -> bool:
    """Whether a sentence has some words, Arabic ones by their root."""
    return all(
        key in sentence.keys or (not key.isascii() and has_root(key, sentence.keys)) for key in keys
    )


def _keys_before(words: Sequence[Word], place: int) -> frozenset[str]:
    return frozenset(word.key for word in words[:place] if not word.is_empty)


def _share(claim: TextReading, sentence: TextReading) -> float:
    own = claim.content.keys() - light_keys() - _keys(claim)
    return len(own & sentence.keys) / len(own) if own else 0.0


def _keys(claim: TextReading) -> frozenset[str]:
    """The keys of words that only commit."""
    lists = meaning_words().lists
    committing = lists["certain"] | lists["regardless"]
    return frozenset(word.key for word in claim.words if word.text in committing)


def _whole(kind: DifferenceKind, claim: TextReading, other: TextReading) -> ClaimDifference:
    spans = (0, len(claim.text), 0, len(other.text))
    claimed = "" if kind == "negation" else claim.text
    return ClaimDifference(kind, claimed, other.text, *spans)
