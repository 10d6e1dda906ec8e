"""A text read once: its words, figures, what it denies, and the words that bound a statement."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, pairwise
from typing import NamedTuple

from assay.core.lazy import lazy
from assay.core.recurrence import recurrence_cache
from assay.data.meaning import meaning_words
from assay.data.word_pairs import pairs
from assay.data.wordnet import word_pairs
from assay.meaning.figure_reader import figures_of, may_have_figures
from assay.meaning.figures import Figure
from assay.meaning.words import (
    Word,
    arabic_stem,
    base_forms,
    empty_words,
    has_letters,
    keys_of,
    may_have_phrases,
    plain_words,
    words_of,
)
from assay.textproc.stem import stems

REACH = 7
"""So many words behind a negation may be denied by it."""
SHORT = 6
"""Up to so many words a text is a bare answer, whose first capital letter counts too."""
REMEMBERED = 1000
"""A longer text, in characters, is read anew each time."""
MOST_THREES = 2000
"""Characters up to which the stretches of three are known beforehand."""
ELLIPTIC = 5
"""Up to so many words a text such as "it does not" is an answer by itself."""
_WITHOUT = "دون"
_ONLY = "الا"
_AGE = "سن"
_PERSONS = frozenset(("i", "you", "we", "one"))
_PREPOSITIONS = frozenset(("for", "in", "on", "at", "during", "about", "from", "to", "with"))
_CONDITIONS = frozenset(("if", "when", "unless", "اذا", "ان", "عندما", "متي", "لو"))


class Scope(NamedTuple):
    """A negation and the words that it denies, by their places among the words."""

    place: int
    first: int
    last: int
    """Behind the last word."""


class Clause(NamedTuple):
    """A part of a text, with the keys of its words."""

    start: int
    end: int
    keys: frozenset[str]


class TextReading:
    """A normalised text with what it says, in a form in which two texts are compared."""

    def __init__(self, text: str, lower: str, words: list[Word] | None = None) -> None:
        self.text = text
        self.lower = lower
        if words is not None:
            self.words = words

    @lazy
    def words(self) -> list[Word]:
        """All words in order; much can be said of a text without their places."""
        return words_of(self.text, self.lower, self._ascii_words)

    @lazy
    def _ascii_words(self) -> list[str] | None:
        """All words as they are written, where none needs another form; else None."""
        return plain_words(self.lower) if self.text.isascii() else None

    @lazy
    def figures(self) -> tuple[Figure, ...]:
        """Numbers, dates, weekdays, times of day and rates."""
        if not may_have_figures(self.lower, self.spellings):
            return ()
        return figures_of(self.lower, self.words)

    @lazy
    def keys(self) -> frozenset[str]:
        """The keys of all words."""
        own = self._ascii_words
        has_capitals = self.text[1:] != self.lower[1:]  # a single letter that is a name is one
        if own is not None and not (has_capitals and has_letters(self.text)):
            keys = keys_of(own)
            if not may_have_phrases(own, keys):
                return keys
        return frozenset([word.key for word in self.words])

    @lazy
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The keys of neighbouring words."""
        return frozenset(pairwise([word.key for word in self.words]))

    @lazy
    def texts(self) -> frozenset[str]:
        """All words as they are written."""
        if self._ascii_words is not None:
            return frozenset(self._ascii_words)
        return frozenset([word.text for word in self.words])

    @lazy
    def spellings(self) -> frozenset[str]:
        """All words as they are written, and without Arabic article and particles."""
        if self.text.isascii():
            return self.texts
        return self.texts.union([word.bare for word in self.words])

    @lazy
    def content(self) -> dict[str, Word]:
        """The keys that say what the text is about, each with its first word."""
        skipped = self._in_figures
        result: dict[str, Word] = {}
        for place, word in enumerate(self.words):
            if not word.is_empty and place not in skipped and word.key not in result:
                result[word.key] = word
        return result

    @lazy
    def _in_figures(self) -> frozenset[int]:
        """The places of the words that are part of a figure."""
        if not self.figures:
            return frozenset()
        starts = [word.start for word in self.words]
        in_figures: set[int] = set()
        after = 0
        for figure in self.figures:
            first = bisect_left(starts, figure.start, after)
            after = max(after, bisect_left(starts, figure.end, after))
            in_figures.update(range(first, after))
        return frozenset(in_figures)

    def _counts(self, place: int) -> bool:
        """Whether the word at a place says what the text is about, and is no figure."""
        return not self.words[place].is_empty and place not in self._in_figures

    @lazy
    def scopes(self) -> tuple[Scope, ...]:
        """What the text denies; an answer "No, …" is none."""
        return tuple(_scopes(self))

    @lazy
    def denied(self) -> frozenset[int]:
        """The places of the words that are denied."""
        return frozenset(n for scope in self.scopes for n in range(scope.first, scope.last))

    @lazy
    def asserted(self) -> dict[str, Word]:
        """The content keys that are not denied, each with its first such word."""
        if not self.denied:
            return self.content
        result: dict[str, Word] = {}
        for place, word in enumerate(self.words):
            if place not in self.denied and word.key not in result and self._counts(place):
                result[word.key] = word
        return result

    @lazy
    def asserted_keys(self) -> frozenset[str]:
        """The keys of `asserted`."""
        return frozenset(self.asserted)

    def scope_keys(self, scope: Scope) -> dict[str, Word]:
        """The content keys that a negation denies."""
        places = range(scope.first, scope.last)
        return {self.words[n].key: self.words[n] for n in places if self._counts(n)}

    @lazy
    def stated_figures(self) -> tuple[Figure, ...]:
        """The figures that are not denied."""
        if not self.denied:
            return self.figures
        starts = {self.words[place].start for place in self.denied}
        return tuple(figure for figure in self.figures if figure.start not in starts)

    @lazy
    def denied_figures(self) -> tuple[Figure, ...]:
        """The figures that are denied by themselves: "not at 32 °F"."""
        bare = [scope for scope in self.scopes if not self.scope_keys(scope)]
        starts = {self.words[n].start for scope in bare for n in range(scope.first, scope.last)}
        return tuple(figure for figure in self.figures if figure.start in starts)

    @lazy
    def answer(self) -> bool | None:
        """Yes or no where the text begins with such a word, else None."""
        if not self.words:
            return None
        first = self.words[0]
        message = meaning_words().answers.get(first.text)
        is_alone = len(self.words) == 1 or self.words[1].clause > first.clause
        is_sure = first.text in ("yes", "نعم", "yeah")
        if message is not None and (is_alone or is_sure):
            return message
        return self._short_answer(message)

    def _short_answer(self, message: bool | None) -> bool | None:
        """Yes or no of "Indeed it is." and "It doesn't.", which hold no other word."""
        table = meaning_words()
        if len(self.words) > ELLIPTIC + 1 and self.words[ELLIPTIC + 1].clause == 0:
            return None
        own = [word for word in self.words if word.clause == 0]
        own = own[1:] if message is not None else own
        if not 1 < len(own) <= ELLIPTIC or not own[-1].text.isascii():
            return None
        verb = own[-1].text
        is_denied = verb == "not" or verb.endswith("n't")
        stem = own[-2].text if verb == "not" else verb.removesuffix("n't")
        if stem not in table.polar and stem not in ("ca", "wo"):
            return None
        if not all(w.is_empty or w.text in table.lists["sentence_adverbs"] for w in own):
            return None
        if not any(w.text in table.answering["pronouns"] or w.text in _PERSONS for w in own):
            return None
        return not is_denied if message is None else message != is_denied

    @lazy
    def is_negated(self) -> bool:
        """Whether the first clause that is no condition denies something."""
        if not self.words:
            return False
        clauses: dict[int, list[int]] = {}
        for place, word in enumerate(self.words):
            clauses.setdefault(word.clause, []).append(place)
        negations = {scope.place for scope in self.scopes}
        own = list(clauses.values())
        if len(own) > 1 and len(own[0]) == 1 and self.words[0].text in meaning_words().answers:
            own = own[1:]
        for places in own:
            if self.words[places[0]].bare in _CONDITIONS and len(own) > 1:
                if any(place in negations for place in places[3:]):
                    return True
                continue
            return any(place in negations for place in places)
        return False

    @lazy
    def classes(self) -> Mapping[str, dict[str, Word]]:
        """Table of quantifiers and the like → the classes that the text has, each with a word."""
        known = meaning_words().classes
        rates = [(f.start, f.end) for f in self.figures if f.kind == "rate"]
        result: dict[str, dict[str, Word]] = {}
        if known.keys().isdisjoint(self.spellings):
            return result
        for place, word in enumerate(self.words):
            own = known.get(word.text) or known.get(word.bare)
            if not own or (rates and any(s <= word.start < e for s, e in rates)):
                continue
            for table, name in own:
                if place in self.denied:
                    name = _NEGATED.get(name, "")
                if name:
                    result.setdefault(table, {}).setdefault(name, word)
        return result

    @lazy
    def names(self) -> dict[str, Word]:
        """The keys of names that are not denied: words with capitals that begin no sentence."""
        result: dict[str, Word] = {}
        words = self.words
        is_short = len(words) <= SHORT
        for place in [place for place, word in enumerate(words) if word.is_capital]:
            if place in self.denied or not self._counts(place):
                continue
            word, sentence = words[place], words[place].sentence
            is_first = not place or words[place - 1].sentence != sentence
            follows = words[place + 1] if place + 1 < len(words) else None
            is_run = follows is not None and follows.is_capital and follows.sentence == sentence
            is_code = len(word.text) > 1 and self.text[word.start : word.end].isupper()
            if not is_first or is_short or is_run or is_code:
                result.setdefault(word.key, word)
        return result

    @lazy
    def name_units(self) -> dict[str, int]:
        """The keys of `names` → where the name begins that the word is part of: Anna Brandt."""
        units: dict[str, int] = {}
        before: Word | None = None
        start = 0
        for word in sorted(self.names.values(), key=lambda word: word.start):
            between = self.text[before.end : word.start] if before else ""
            if before is None or between.strip(" .-'") or before.sentence != word.sentence:
                start = word.start
            units[word.key] = start
            before = word
        return units

    def name_end(self, name: Word) -> int:
        """Where the name ends that begins with a word."""
        units = self.name_units
        start = units.get(name.key, name.start)
        ends = [w.end for key, w in self.names.items() if units[key] == start]
        return max(ends, default=name.end)

    @lazy
    def denies(self) -> bool:
        """Whether the text denies, excludes or forbids something."""
        lists = meaning_words().lists
        if any(not self._is_under(scope.place) for scope in self.scopes):
            return True
        denials = self.spellings & lists["denials"]
        if denials - {_ONLY} or (denials and not self._restricts):
            return True
        lower = self.lower if self.text.isascii() else self.text.lower()
        return any(map(lower.__contains__, lists["denial_phrases"]))

    @lazy
    def _restricts(self) -> bool:
        """Whether an Arabic negation and what stands behind it say "only"."""
        known = meaning_words().negations
        return any(
            word.text in known and _is_restricting(self.words, place)
            for place, word in enumerate(self.words)
        )

    def _is_under(self, place: int) -> bool:
        """Whether an Arabic word for "without" says "under" here, as before an age or a number."""
        if self.words[place].text != _WITHOUT or place + 1 == len(self.words):
            return False
        follows = self.words[place + 1]
        return follows.bare == _AGE or any(f.start == follows.start for f in self.figures)

    @lazy
    def has_denial(self) -> bool:
        """Whether a word that forbids or excludes stands in the text without a negation."""
        listed = meaning_words().lists["denials"]
        return not listed.isdisjoint(self.spellings) and any(
            (word.text in listed or word.bare in listed) and place not in self.denied
            for place, word in enumerate(self.words)
        )

    @lazy
    def clauses(self) -> list[Clause]:
        """The stretches that marks and words such as "because" part, in order."""
        breaks = meaning_words().lists["clause_breaks"]
        starts, firsts = [0], [0]
        for place, (before, word) in enumerate(pairwise(self.words), 1):
            if word.clause != before.clause or word.text in breaks:
                starts.append(word.start)
                firsts.append(place)
        stops = zip(
            pairwise((*starts, len(self.text))),
            pairwise((*firsts, len(self.words))),
            strict=True,
        )
        return [
            Clause(start, end, frozenset([word.key for word in self.words[first:last]]))
            for (start, end), (first, last) in stops
        ]

    @lazy
    def _stretches(self) -> dict[tuple[int, int], TextReading]:
        """Stretches that were read before."""
        return {}

    def stretch(self, start: int, end: int) -> TextReading:
        """The stretch from the start of the text or of a word to that of another, by itself."""
        if not self.text.isascii():
            return read(self.text[start:end])
        if (start, end) not in self._stretches:
            words = [word for word in self.words if start <= word.start < end]
            first = words[0] if start and words else None
            self._stretches[start, end] = TextReading(
                self.text[start:end],
                self.lower[start:end],
                [_moved(word, start, first) for word in words] if start else words,
            )
        return self._stretches[start, end]

    @lazy
    def trigrams(self) -> frozenset[str]:
        """Runs of three letters of the content words."""
        text = f" {' '.join([word.bare for word in self.words if not word.is_empty])} "
        if len(text) > MOST_THREES:
            return frozenset([text[n : n + 3] for n in range(len(text) - 2)])
        return frozenset(map(text.__getitem__, islice(_threes(), max(0, len(text) - 2))))

    def quote(self, start: int, end: int) -> str:
        """A stretch of the text."""
        return self.text[start:end]


@cache
def _threes() -> tuple[slice, ...]:
    """The stretches of three characters of a text: taking them needs no loop in Python."""
    return tuple(slice(place, place + 3) for place in range(MOST_THREES))


_NEGATED = {"must": "may", "all": "some", "always": "sometimes"}
"""What a negation makes of a class; the others are left to the check of negations."""


def read(text: str, lower: str | None = None) -> TextReading:
    """Read a normalised text; a short one that was read before is not read again."""
    if len(text) > REMEMBERED:
        return TextReading(text, text.lower() if lower is None else lower)
    return _remembered(text)


@recurrence_cache(recent=512, recurring=1024)
def _remembered(text: str) -> TextReading:
    return TextReading(text, text.lower())


def _moved(word: Word, start: int, first: Word | None) -> Word:
    """A word of a stretch with its places there; clauses are counted from those of the first."""
    text, begin, end, key, bare, is_capital, clause, sentence, has_article, is_empty = word
    if first:
        clause, sentence = clause - first.clause, sentence - first.sentence
    begin, end = begin - start, end - start
    row = (text, begin, end, key, bare, is_capital, clause, sentence, has_article, is_empty)
    return tuple.__new__(Word, row)


def _scopes(reading: TextReading) -> list[Scope]:
    scopes: list[Scope] = []
    is_plain = "n't" not in reading.lower and "-free" not in reading.lower
    if is_plain and _denying().isdisjoint(reading.spellings):
        return scopes
    table, words = meaning_words(), reading.words
    for place, word in enumerate(words):
        if not _may_deny(word):
            continue
        if _is_free(reading, place):
            scopes.append(Scope(place, place - 1, place))
            continue
        if not _denies(word, table.negations, table.denying_verbs):
            continue
        if place == 0 and reading.answer is False:
            continue
        follows = words[place + 1] if place + 1 < len(words) else None
        if follows and f"{word.text} {follows.text}" in _harmless():
            continue
        last = place + 1
        if _is_restricting(words, place):
            continue
        if word.text == "nothing" and follows and follows.text in _PREPOSITIONS:
            scopes.append(Scope(place, last, last))
            continue
        while last < len(words) and last - place <= REACH:
            own = words[last]
            is_break = own.clause != word.clause or own.text in table.lists["contrast"]
            if is_break or (own.text in table.negations and last > place + 1):
                break
            last += 1
        scopes.append(Scope(place, place + 1, last))
    return scopes


def _is_restricting(words: list[Word], place: int) -> bool:
    """Whether an Arabic negation says "only": لا ... إلا."""
    behind = words[place + 1 : place + REACH]
    clause = words[place].clause
    return any(word.text == _ONLY and word.clause == clause for word in behind)


def _is_free(reading: TextReading, place: int) -> bool:
    """Whether a word is the second part of "sugar-free"."""
    words = reading.words
    return words[place].text == "free" and reading.text[words[place].start - 1] == "-" and place > 0


@cache
def _denying() -> frozenset[str]:
    """Words that may deny what follows."""
    return meaning_words().negations | meaning_words().denying_verbs


@cache
def _may_deny_texts() -> frozenset[str]:
    return _denying() | {"free"}


def _may_deny(word: Word) -> bool:
    """Whether a word may deny something; most do not, and are not looked at closely."""
    known = _may_deny_texts()
    return word[0] in known or word[4] in known or word[0][-3:] == "n't"


@cache
def _harmless() -> frozenset[str]:
    """The first two words of phrases with a negation that deny nothing."""
    return frozenset(" ".join(phrase.split()[:2]) for phrase in meaning_words().harmless)


def _denies(word: Word, negations: frozenset[str], verbs: frozenset[str]) -> bool:
    if word.text in negations or word.text.endswith("n't") or word.text in verbs:
        return True
    return word.bare != word.text and word.bare in negations and len(word.bare) > 1


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


def key_of(word: str) -> str:
    """The key of a single word in lower case."""
    return stems([base_forms().get(word, word)])[0] if word.isascii() else arabic_stem(word)
