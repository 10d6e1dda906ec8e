"""How far the words of one text stand in another: stems, spelling and order, without a model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from assay.data.frames import frames, light_words
from assay.data.word_pairs import pairs
from assay.data.wordnet import word_pairs
from assay.meaning.word_relations import key_of, opposites
from assay.meaning.words import arabic_root

SYNONYM = 0.8
"""What a word counts where one of like meaning stands in its place."""
LIGHT = 0.8
"""What a word counts that says little by itself, such as "possible", where it is missing."""
KIN = 0.6
"""What a word counts where one of the same matter stands in the other text: pay, euros."""
WordPair = tuple[str, str]
ALIKE = 0.6
"""From this share of common letters in threes on, two words are forms of one."""
BEGINNING = 6
"""Words that begin with so many equal letters are alike, whatever their endings."""
MAX_MISSING = 12
"""At most so many words that the other text lacks are compared by spelling."""
MIN_LENGTH = 4
"""Shorter words are not compared by spelling."""


def share_of(keys: Collection[str], others: Collection[str], unlike: Container[str] = ()) -> float:
    """The share of the keys that are among others; a form of one of them counts in part.

    `unlike` are keys that are known to be like none of the others, so that none is compared.
    """
    if not keys:
        return 0.0
    missing = [key for key in keys if key not in others]
    held = sum([alike(key, others) for key in missing[:MAX_MISSING] if key not in unlike])
    return (len(keys) - len(missing) + held) / len(keys)


def unlike(keys: Iterable[str], others: Collection[str]) -> frozenset[str]:
    """Keys that count nothing beside others, and so nothing beside a part of them."""
    missing = [key for key in keys if key not in others]
    return frozenset([key for key in missing[:MAX_MISSING] if not alike(key, others)])


def weighted_share(weights: Mapping[str, float], others: Collection[str]) -> float:
    """The share of the weight of keys that are among others, counted as by `share_of`."""
    missing = [key for key in weights if key not in others]
    held = sum(weight for key, weight in weights.items() if key in others)
    held += sum([weights[key] * alike(key, others) for key in missing[:MAX_MISSING]])
    return held / sum(weights.values()) if weights else 0.0


def alike(key: str, others: Collection[str]) -> float:
    """What a key that is not among others counts: by a word of like meaning, or by spelling."""
    known = synonyms().get(key)
    if known and not known.isdisjoint(others):
        return SYNONYM
    if not key.isascii() and (has_root(key, others) or _has_like_root(key, others)):
        return SYNONYM
    if key.startswith("un") and len(key) > MIN_LENGTH + 1 and key[2:] in others:
        return SYNONYM
    if key in light_keys():
        return LIGHT
    near = kin().get(key)
    if near and not near.isdisjoint(others):
        return KIN
    return spelling(key, others)


@cache
def light_keys() -> frozenset[str]:
    """The keys of words that say little by themselves."""
    return frozenset(map(key_of, light_words()))


@cache
def kin() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that belong to one matter with it."""
    result: dict[str, set[str]] = {}
    for words in frames():
        keys = frozenset(map(key_of, words))
        for key in keys:
            result.setdefault(key, set()).update(keys)
    return {key: frozenset(others - {key}) for key, others in result.items()}


def has_root(key: str, others: Collection[str]) -> bool:
    """Whether an Arabic word has its root in common with another one."""
    root = arabic_root(key)
    return bool(root) and root in _roots(frozenset(others))


def _has_like_root(key: str, others: Collection[str]) -> bool:
    """Whether a form of an Arabic word that may stand for this one is among others."""
    near = _like_roots().get(arabic_root(key))
    return near is not None and not near.isdisjoint(_roots(frozenset(others)))


@cache
def _like_roots() -> Mapping[str, frozenset[str]]:
    """Root → the roots of words that may stand for one of its words."""
    result: dict[str, set[str]] = {}
    for pair in pairs("synonyms.ar"):
        one, other = map(arabic_root, pair)
        if one and other and one != other:
            result.setdefault(one, set()).add(other)
            result.setdefault(other, set()).add(one)
    return {root: frozenset(others) for root, others in result.items()}


@lru_cache(maxsize=256)
def _roots(words: frozenset[str]) -> frozenset[str]:
    return frozenset([arabic_root(word) for word in words if not word.isascii()])


@cache
def synonyms() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that may stand for it.

    A list of ours names one word with all that may stand for it; these may stand for each other as
    well. Those of WordNet stand for the one word alone.
    """
    rows: dict[str, set[str]] = {}
    for one, other in (*pairs("synonyms.en"), *pairs("synonyms.ar")):
        rows.setdefault(key_of(one), set()).add(key_of(other))
    result: dict[str, set[str]] = {}
    for first, others in rows.items():
        group = {first, *others}
        for key in group:
            result.setdefault(key, set()).update(group - {key})
    excluded = opposites()
    for key, others in _linked_keys(word_pairs("synonyms")).items():
        result.setdefault(key, set()).update(others - excluded.get(key, frozenset()))
    return {key: frozenset(others) for key, others in result.items()}


@cache
def derived() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that are derived from it or that it is derived from."""
    return {key: frozenset(others) for key, others in _linked_keys(word_pairs("derived")).items()}


def _linked_keys(listed: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    linked_keys: dict[str, set[str]] = {}
    for one, other in listed:
        a, b = key_of(one), key_of(other)
        if a != b:
            linked_keys.setdefault(a, set()).add(b)
            linked_keys.setdefault(b, set()).add(a)
    return linked_keys


def spelling(key: str, others: Iterable[str]) -> float:
    """How like the most similar of other words is in its letters; 0 for one that is not alike."""
    if len(key) < MIN_LENGTH or key.isdecimal():
        return 0.0
    if key.isascii() and isinstance(others, frozenset):
        near = _by_letter(others).get(key[0], ())
    else:
        is_ascii = key.isascii()
        near = [o for o in others if len(o) >= MIN_LENGTH and (o[0] == key[0] or not is_ascii)]
    best = max([_dice(key, other) for other in near], default=0.0)
    return best if best >= ALIKE else 0.0


@lru_cache(maxsize=64)
def _by_letter(words: frozenset[str]) -> Mapping[str, Sequence[str]]:
    """First letter → the words that begin with it and are long enough to compare."""
    result: dict[str, list[str]] = defaultdict(list)
    for word in words:
        if len(word) >= MIN_LENGTH:
            result[word[0]].append(word)
    return result


def pairs_share(own: AbstractSet[WordPair], others: Iterable[AbstractSet[WordPair]]) -> float:
    """The share of neighbouring words that are neighbours in one of the other texts, too."""
    if not own:
        return 0.0
    known: AbstractSet[WordPair] = frozenset().union(*[own & other for other in others])
    return len(known) / len(own)


@lru_cache(maxsize=50_000)
def _threes(word: str) -> frozenset[str]:
    padded = f"<{word[:40]}>"
    return frozenset(padded[place : place + 3] for place in range(len(padded) - 2))


@lru_cache(maxsize=50_000)
def _dice(one: str, other: str) -> float:
    """The share of common letters in threes; words with the same long beginning are alike."""
    own, threes = _threes(one), _threes(other)
    if one[:BEGINNING] == other[:BEGINNING] and min(len(one), len(other)) >= BEGINNING:
        return max(ALIKE, 2 * len(own & threes) / (len(own) + len(threes)))
    return 2 * len(own & threes) / (len(own) + len(threes))
