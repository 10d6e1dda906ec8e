"""A text read once: its words, figures, what it denies, and the words that bound a statement."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from itertools import islice, pairwise
from operator import attrgetter
from typing import NamedTuple

from assay.core.lazy import lazy
from assay.core.recurrence import recurrence_cache
from assay.data.meaning import meaning_words
from assay.meaning.figure_reader import figures_of, may_have_figures
from assay.meaning.figures import Figure
from assay.meaning.negations import ONLY, Scope, is_restricting, scopes_of
from assay.meaning.words import (
    Word,
    has_letters,
    keys_of,
    may_have_phrases,
    plain_words,
    words_of,
)

LEAST_COUNT = 2
"""A smaller number is often an article: "one of them"."""
SHORT = 6
"""Up to so many words a text is a bare answer, whose first capital letter counts too."""
REMEMBERED = 1000
"""A longer text, in characters, is read anew each time."""
MOST_THREES = 2000
"""Characters up to which the stretches of three are known beforehand."""
ELLIPTIC = 5
"""Up to so many words a text such as "it does not" is an answer by itself."""
_WITHOUT = "دون"
_HALF_DAY = re.compile(r"\b([AaPp])\.[Mm]\b(\.?)(?=(\s+[A-Z])?)")
_AGE = "سن"


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
        self.has_inner_capitals = text[1:] != lower[1:]
        """Whether a capital letter stands behind the first character."""
        self._ascii_words: list[str] | None = None
        """All words as they are written, where none needs another form; else None."""
        if text.isascii():
            self._ascii_words = plain_words(lower)
            self.texts = self.spellings = frozenset(self._ascii_words)

    @lazy
    def words(self) -> list[Word]:
        """All words in order; much can be said of a text without their places."""
        return words_of(self.text, self.lower, self._ascii_words)

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
        # a single letter that is a name is a capital
        if own is not None and not (self.has_inner_capitals and has_letters(self.text)):
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
        return frozenset([word.text for word in self.words])

    @lazy
    def spellings(self) -> frozenset[str]:
        """All words as they are written, and without Arabic article and particles."""
        return self.texts.union([word.bare for word in self.words])

    @lazy
    def content(self) -> dict[str, Word]:
        """The keys that say what the text is about, each with its first word."""
        skipped = self.in_figures
        result: dict[str, Word] = {}
        for place, word in enumerate(self.words):
            if not word.is_empty and place not in skipped and word.key not in result:
                result[word.key] = word
        return result

    @lazy
    def in_figures(self) -> frozenset[int]:
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
        return not self.words[place].is_empty and place not in self.in_figures

    @lazy
    def scopes(self) -> tuple[Scope, ...]:
        """What the text denies; an answer "No, …" is none."""
        return tuple(scopes_of(self))

    @lazy
    def denied(self) -> frozenset[int]:
        """The places of the words that are denied."""
        if not self.scopes:
            return frozenset()
        return frozenset([n for scope in self.scopes for n in range(scope.first, scope.last)])

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
        if not self.figures or not self.denied:
            return self.figures
        starts = {self.words[place].start for place in self.denied}
        return tuple(figure for figure in self.figures if figure.start not in starts)

    def has_limit(self, figure: Figure) -> bool:
        """Whether the text has a limit, too: "no more than 200 euros" is "at most 200 euros"."""
        limit = figure.limit
        return bool(limit) and any(f.limit == limit and f.equals(figure) for f in self.figures)

    @lazy
    def counted(self) -> dict[int, str]:
        """Where a number from `LEAST_COUNT` on begins → the key of what it counts.

        Not what is counted by a period: ten requests a second, 600 requests a minute.
        """
        result: dict[int, str] = {}
        per = meaning_words().lists["per"]
        for figure in self.figures:
            if figure.kind != "number" or figure.unit.dimension or figure.is_ordinal:
                continue
            place = self._place(figure.end)
            word = self.words[place] if place < len(self.words) else None
            if word is None or word.is_empty or word.is_number:
                continue
            if figure.value >= LEAST_COUNT and self._text_at(place + 1) not in per:
                result[figure.start] = word.key
        return result

    @lazy
    def denied_figures(self) -> tuple[Figure, ...]:
        """The figures that are denied by themselves: "not at 32 °F"."""
        bare = [scope for scope in self.scopes if not self.scope_keys(scope)]
        starts = {self.words[n].start for scope in bare for n in range(scope.first, scope.last)}
        return tuple(figure for figure in self.figures if figure.start in starts)

    @lazy
    def answer(self) -> bool | None:
        """Yes or no where the text begins with such a word ("typically, no"), else None."""
        words = self.words
        if len(words) > 1 and words[0].text in meaning_words().lists["answer_hedges"]:
            words = words[1:]
        if not words:
            return None
        first = words[0]
        message = meaning_words().answers.get(first.text)
        is_alone = len(words) == 1 or words[1].clause > first.clause
        is_sure = first.text in ("yes", "نعم", "yeah")
        if message is not None and (is_alone or is_sure):
            return message
        return self._short_answer(message if first is self.words[0] else None)

    @property
    def is_plain_answer(self) -> bool:
        """Whether yes or no is all of it."""
        return len(self.words) == 1 and self.answer is not None

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
        if not any(
            w.text in table.answering["pronouns"] or w.text in meaning_words().lists["persons"]
            for w in own
        ):
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
            if (
                self.words[places[0]].bare in meaning_words().lists["clause_conditions"]
                and len(own) > 1
            ):
                if any(place in negations for place in places[3:]):
                    return True
                continue
            return any(place in negations for place in places)
        return False

    @lazy
    def is_doubly_negated(self) -> bool:
        """Whether a clause denies that something goes without another: "not without a visa"."""
        words = self.words
        without = meaning_words().lists["without"]
        if without.isdisjoint(self.spellings):
            return False
        places = [place for place, word in enumerate(words) if word.text in without]
        return any(
            scope.place < place and words[scope.place].clause == words[place].clause
            for scope in self.scopes
            for place in places
        )

    @lazy
    def classes(self) -> Mapping[str, dict[str, Word]]:
        """Table of quantifiers and the like → the classes that the text has, each with a word."""
        known, having = meaning_words().classes, meaning_words().lists["having"]
        result: dict[str, dict[str, Word]] = {}
        if known.keys().isdisjoint(self.spellings) and having.isdisjoint(self.spellings):
            return result
        rates = [(f.start, f.end) for f in self.figures if f.kind == "rate"]
        for place, word in enumerate(self.words):
            own = known.get(word.text) or known.get(word.bare)
            if not own and word.text in having and self._text_at(place + 1) == "to":
                own = _MUST
            if not own or (rates and any(s <= word.start < e for s, e in rates)):
                continue
            for table, name in own:
                if place in self.denied:
                    name = _NEGATED.get(name, "")
                if name:
                    result.setdefault(table, {}).setdefault(name, word)
        return result

    @lazy
    def has_codes(self) -> bool:
        """Whether a number or a capital letter stands behind a word: "room 204", "lift A"."""
        for word in islice(self.words, 1, None):
            if word.text[0].isdecimal() or (word.is_capital and len(word.text) == 1):
                return True
        return False

    def _text_at(self, place: int) -> str:
        return self.words[place].text if place < len(self.words) else ""

    @lazy
    def names(self) -> dict[str, Word]:
        """The keys of names that are not denied: words with capitals that begin no sentence."""
        result: dict[str, Word] = {}
        own = self._ascii_words
        if own is not None and len(own) > SHORT and not self.has_inner_capitals:
            return result
        words = self.words
        is_short = len(words) <= SHORT
        for place in [place for place, word in enumerate(words) if word.is_capital]:
            word, sentence = words[place], words[place].sentence
            is_first = not place or words[place - 1].sentence != sentence
            follows = words[place + 1] if place + 1 < len(words) else None
            is_run = follows is not None and follows.is_capital and follows.sentence == sentence
            is_code = len(word.text) > 1 and self.text[word.start : word.end].isupper()
            is_name = not is_first or is_short or is_run or is_code
            if is_name and self._counts(place) and place not in self.denied:
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
        if denials - {ONLY} or (denials and not self._restricts):
            return True
        lower = self.lower if self.text.isascii() else self.text.lower()
        return any(map(lower.__contains__, lists["denial_phrases"]))

    @lazy
    def _restricts(self) -> bool:
        """Whether an Arabic negation and what stands behind it say "only"."""
        known = meaning_words().negations
        return any(
            word.text in known and is_restricting(self.words, place)
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
        """The stretches that marks and words such as "because" part, in order; no figure is."""
        breaks = meaning_words().lists["clause_breaks"]
        starts, firsts = [0], [0]
        for place, (before, word) in enumerate(pairwise(self.words), 1):
            is_break = word.clause != before.clause or word.text in breaks
            if is_break and not any(f.start < word.start < f.end for f in self.figures):
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
            words = self.words[self._place(start) : self._place(end)]
            first = words[0] if start and words else None
            self._stretches[start, end] = TextReading(
                self.text[start:end],
                self.lower[start:end],
                [_moved(word, start, first) for word in words] if start else words,
            )
        return self._stretches[start, end]

    def _place(self, start: int) -> int:
        """The first word that starts there or later."""
        return bisect_left(self.words, start, key=attrgetter("start"))

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


_MUST = (("modality", "must"),)
_NEGATED = {"must": "may", "all": "some", "always": "sometimes"}
"""What a negation makes of a class; the others are left to the check of negations."""


def read(text: str, lower: str | None = None) -> TextReading:
    """Read a normalised text; a short one that was read before is not read again."""
    if ".m" in text or ".M" in text:
        text, lower = _HALF_DAY.sub(_without_stops, text), None
    if len(text) > REMEMBERED:
        return TextReading(text, text.lower() if lower is None else lower)
    return _remembered(text)


def _without_stops(half_day: re.Match[str]) -> str:
    """The half of the day as "am", as long as before; a full stop that ends a sentence stays."""
    short = half_day[1] + "m" + ("." if half_day[2] and half_day[3] else "")
    return short.ljust(len(half_day[1]) + 2 + len(half_day[2]))


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
