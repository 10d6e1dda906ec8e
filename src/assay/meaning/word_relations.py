"""Words that exclude each other, say the same from the other side, or stand for each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from assay.data.meaning import meaning_words
from assay.data.word_pairs import pairs
from assay.data.wordnet import word_pairs
from assay.meaning.words import arabic_stem, base_forms, empty_words, words_of
from assay.textproc.stem import stems


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that exclude it."""
    sides = meaning_words().sides
    crossed = ((a, b) for one, other in sides for a in one for b in other)
    own = meaning_words().opposites
    excluded = {frozenset(pair) for pair in meaning_words().not_opposites}
    listed = (*pairs("antonyms.en"), *word_pairs("antonyms"), *own, *crossed, *_prefixed())
    return _linked(tuple(pair for pair in listed if frozenset(pair) not in excluded))


def _prefixed() -> Iterator[tuple[str, str]]:
    """Every known English word with "un" before it: heated, unheated."""
    listed = (*word_pairs("derived"), *word_pairs("synonyms"))
    for word in {word for pair in listed for word in pair}:
        if len(word) > 3 and word.isascii() and word not in empty_words():
            yield word, f"un{word}"


@cache
def same_sides() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words on the same side of two that exclude each other: oppose, against."""
    result: dict[str, set[str]] = {}
    for pair in meaning_words().sides:
        for side in pair:
            keys = frozenset(map(key_of, side))
            for key in keys:
                result.setdefault(key, set()).update(keys - {key})
    return {key: frozenset(others) for key, others in result.items()}


@cache
def related() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that exclude it or say the same from the other side."""
    keys = opposites().keys() | converses().keys()
    none: frozenset[str] = frozenset()
    return {key: opposites().get(key, none) | converses().get(key, none) for key in keys}


@cache
def converses() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words that say the same from the other side."""
    return _linked(meaning_words().converses)


@cache
def refuting() -> Mapping[str, frozenset[str]]:
    """Key → the keys of words of a yes-or-no question that it answers with no."""
    return _linked(meaning_words().refuting)


@cache
def aliases() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Keys of a short or full name → the keys of its other names."""
    result: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for one, other in meaning_words().aliases:
        a, b = _phrase_keys(one), _phrase_keys(other)
        result[a] = (*result.get(a, ()), b)
        result[b] = (*result.get(b, ()), a)
    return result


def _phrase_keys(phrase: str) -> tuple[str, ...]:
    return tuple(word.key for word in words_of(phrase, phrase))


def _linked(listed: tuple[tuple[str, str], ...]) -> Mapping[str, frozenset[str]]:
    result: dict[str, set[str]] = {}
    for pair in listed:
        one, other = (key_of(word) for word in pair)
        if one != other:
            result.setdefault(one, set()).add(other)
            result.setdefault(other, set()).add(one)
    return {key: frozenset(others) for key, others in result.items()}


@cache
def list_keys(*names: str) -> frozenset[str]:
    """The keys of the words of some lists of meaning."""
    lists = meaning_words().lists
    return frozenset(key_of(word) for name in names for word in lists[name])


def key_of(word: str) -> str:
    """The key of a single word in lower case."""
    return stems([base_forms().get(word, word)])[0] if word.isascii() else arabic_stem(word)
