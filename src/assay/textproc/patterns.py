"""Finds the patterns of many lexicons in a few passes, in time linear in the text.

RE2 answers "which patterns occur?" for all phrases at once and for a dozen expressions at a time,
then gives the places of those few.
RE2 knows only ASCII words, so it is shown a *shadow* of the text: the lower-case text with every
other letter replaced by one that it takes for a letter and that no pattern asks for. One character
stays one byte, so places need no conversion, and `\\b` is right beside Arabic too.

Patterns that ask for letters beyond ASCII get a second shadow in which their letters have codes of
their own (128 at a time); there, whole words are spelled out as "no letter before, none after".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

import re2

from assay.core.errors import ProfileError
from assay.core.lazy import lazy
from assay.data import Lexicon, Pattern, lexicon
from assay.textproc.expressions import LETTERS_BEYOND, lower, translate
from assay.textproc.normal import Normal, normalise
from assay.textproc.pattern_checks import CHECKS

TOGETHER = 12
"""So many expressions are searched for at once. The automaton of more has so many states that new
texts go on making new ones: 144 at once take four times as long as 12 at a time."""
MAX_TOGETHER = 8_000
"""Expressions of more characters than this are not searched for at once, for the same reason: four
long ones among twelve made as many new states as all others together."""
MAX_HITS = 1000
"""At most this many hits of one pattern in one text are listed: hostile text stays cheap."""
_LETTER = "W"
"""Stands for any letter that no pattern asks for: free, because the text is in lower case."""
_SIGN = "\x01"
"""Stands for any other character beyond ASCII that no pattern asks for."""
_SIGN_CODES = [chr(code) for code in (*range(2, 9), *range(14, 28))]
_LETTER_CODES = [chr(code) for code in range(128, 256)]
_NO_LETTER = rf"[^0-9a-z_W{LETTERS_BEYOND}]"
_SIGN_BYTE = re.compile(_NO_LETTER.encode())
_PROBES = (b"", b"a a")
"""Texts in which an expression that can match nothing at all does so."""


class PatternHit(NamedTuple):
    """One hit: the lexicon, the pattern's name, and the place in the normalised text."""

    lexicon: str
    pattern: str
    start: int
    end: int


class Matcher:
    """All patterns of some lexicons, compiled together."""

    def __init__(self, lexicons: Sequence[Lexicon]) -> None:
        self.lexicons = dict.fromkeys([result.name for result in lexicons]).keys()
        """Their names, in order."""
        listed = [(result.name, pattern) for result in lexicons for pattern in result.patterns]
        plain = [entry for entry in listed if not _letters(_text(entry[1]))]
        wide = [entry for entry in listed if _letters(_text(entry[1]))]
        self._plain = _PatternGroup(plain)
        self._wide = [_PatternGroup(part) for part in _by_alphabet(wide)]

    def find(self, text: Normal, most: int | None = MAX_HITS) -> Iterator[PatternHit]:
        """Every hit of every pattern, or `most` of each; those of one pattern do not overlap."""
        yield from self._plain.find(text, most)
        for group in self._wide:
            yield from group.find(text, most)

    def search(self, text: Normal) -> PatternSearch:
        """The patterns of each lexicon in a text; they are looked for when they are asked for."""
        return PatternSearch(text, (self._plain, *self._wide))


class PatternMatch(NamedTuple):
    """A pattern that occurs in a text."""

    group: _PatternGroup
    number: int
    """Its place in the group."""
    shadow: bytes
    """The text as the pattern is searched for in it."""


class PatternSearch:
    """The patterns that occur in a text, by their lexicons.

    A metric reads a few of a run's lexicons: those that nobody reads are not searched for.
    """

    def __init__(self, text: Normal, groups: Iterable[_PatternGroup]) -> None:
        self.text = text
        self._searches = [_GroupSearch(group, text.lower) for group in groups]

    def hits(self, lexicon: str) -> Iterator[PatternHit]:
        """The hits of one lexicon, as `Matcher.find` gives them."""
        for search in self._searches:
            for match in search.matches(lexicon):
                yield from match.group.places(match.number, match.shadow, self.text)


class _GroupSearch:
    """Which patterns of a group occur in a text; each set is searched for once, if at all."""

    def __init__(self, group: _PatternGroup, lower: str) -> None:
        self._group = group
        self._lower = lower
        self._found: dict[int, Sequence[int]] = {}
        """Set → which of its patterns occur, by their index."""

    @lazy
    def _shadow(self) -> bytes:
        return self._group.shadow(self._lower)

    def matches(self, lexicon: str) -> list[PatternMatch]:
        """The patterns of one lexicon that occur."""
        group = self._group
        sets = group.sets_of.get(lexicon, ())
        if not sets or group.is_silent(self._lower):
            return []
        for number in sets:
            if number not in self._found:
                self._found[number] = group.matching(number, self._shadow)
        found = [index for number in sets for index in self._found[number]]
        own = sorted([index for index in found if group.lexicon_of(index) == lexicon])
        return [PatternMatch(group, index, self._shadow) for index in own]


@cache
def matcher(names: frozenset[str]) -> Matcher:
    """The matcher of the bundled lexicons of those names."""
    return Matcher([lexicon(name) for name in sorted(names)])


@lru_cache(maxsize=64)
def phrase_matcher(phrases: tuple[str, ...]) -> Matcher:
    """A matcher for phrases given by a user, as the lexicon `custom`."""
    patterns = tuple(Pattern(p, phrase=p) for p in phrases if normalise(p).text.strip())
    return Matcher([Lexicon("custom", "", "", "", "", patterns, (), (), "")])


class _PatternGroup:
    """Patterns that share one shadow of the text."""

    def __init__(self, entries: Sequence[tuple[str, Pattern]]) -> None:
        self._entries = entries
        self._is_beyond = all(_letters(_text(p)) and p.phrase for _, p in entries)
        """Whether every pattern asks for a letter beyond ASCII, so that ASCII text has no hit."""
        beyond = sorted({char for _, p in entries for char in _text(p) if not char.isascii()})
        self._shadows = _Shadows(beyond)
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.log_errors = False
        options.max_mem = 256 << 20
        self._sets = _together(entries)
        self.sets_of: dict[str, list[int]] = {}
        """Lexicon → the sets that hold patterns of it."""
        for number, indexes in enumerate(self._sets):
            for name in dict.fromkeys([entries[index][0] for index in indexes]):
                self.sets_of.setdefault(name, []).append(number)
        self._searches = [re2.Set.SearchSet(options) for _ in self._sets]
        search_of = {
            index: search
            for indexes, search in zip(self._sets, self._searches, strict=True)
            for index in indexes
        }
        self._regexes = []
        for index, (lexicon_name, pattern) in enumerate(entries):
            source = _source(pattern, self._shadows).encode("latin-1")
            place = f"{lexicon_name}: pattern {pattern.name!r}"
            try:
                regex = re2.compile(source, options)
            except re2.error as error:
                message = error.args[0].decode("latin-1")
                raise ProfileError(f"{place} is not a linear-time expression: {message}") from None
            probes = (match for text in _PROBES for match in regex.finditer(text))
            if any(match.start() == match.end() for match in probes):
                raise ProfileError(
                    f"{place} matches the empty text; expected at least one character"
                )
            search_of[index].Add(source)
            is_wide = bool(_letters(_text(pattern)))
            self._regexes.append((regex, is_wide, _check(pattern, place)))
        for search in self._searches:
            search.Compile()

    def find(self, text: Normal, most: int | None) -> Iterator[PatternHit]:
        if self.is_silent(text.lower):
            return
        shadow = self.shadow(text.lower)
        sets = range(len(self._sets))
        for index in sorted([place for number in sets for place in self.matching(number, shadow)]):
            yield from self.places(index, shadow, text, most)

    def is_silent(self, lower: str) -> bool:
        """Whether no pattern can occur in a text in lower case, whatever it says."""
        return not self._entries or (self._is_beyond and lower.isascii())

    def shadow(self, lower: str) -> bytes:
        """The text as the patterns are searched for in it."""
        return self._shadows.of(lower)

    def lexicon_of(self, index: int) -> str:
        """The lexicon of a pattern."""
        return self._entries[index][0]

    def places(
        self, index: int, shadow: bytes, text: Normal, most: int | None = MAX_HITS
    ) -> Iterator[PatternHit]:
        """Where one pattern occurs, at most that often."""
        regex, is_wide, check = self._regexes[index]
        lexicon_name, pattern = self._entries[index]
        spans = _spans(regex, shadow) if is_wide else (m.span() for m in regex.finditer(shadow))
        if check:
            spans = (span for span in spans if check(text.text[slice(*span)]))
        for start, end in islice(spans, most):
            yield PatternHit(lexicon_name, pattern.name, start, end)

    def matching(self, number: int, shadow: bytes) -> list[int]:
        """The patterns of a set that occur in a shadow, by their index."""
        indexes = self._sets[number]
        return [indexes[place] for place in self._searches[number].Match(shadow) or ()]


def _together(entries: Sequence[tuple[str, Pattern]]) -> list[list[int]]:
    """The indexes of entries that are searched for at once: all phrases, and expressions in parts.

    Phrases share their automaton's states, however many there are.
    """
    phrases = [index for index, (_, pattern) in enumerate(entries) if pattern.phrase]
    others = [index for index, (_, pattern) in enumerate(entries) if not pattern.phrase]
    parts: list[list[int]] = []
    left = 0
    for index in others:
        size = len(_text(entries[index][1]))
        if not parts or len(parts[-1]) == TOGETHER or size > left:
            parts.append([])
            left = MAX_TOGETHER
        parts[-1].append(index)
        left -= size
    return [part for part in (phrases, *parts) if part]


class _Shadows(dict[int, str]):
    """Makes shadows; the table character → stand-in fills as characters are met."""

    def __init__(self, beyond: Sequence[str]) -> None:
        letters = [char for char in beyond if _is_letter(char)]
        signs = [char for char in beyond if not _is_letter(char)]
        if len(signs) > len(_SIGN_CODES):
            raise ProfileError(
                f"patterns use {len(signs)} signs beyond ASCII; expected at most {len(_SIGN_CODES)}"
            )
        if len(letters) > len(_LETTER_CODES):
            raise ProfileError(
                f"one pattern uses {len(letters)} letters beyond ASCII; "
                f"expected at most {len(_LETTER_CODES)}"
            )
        self.codes = dict(zip(letters, _LETTER_CODES, strict=False)) | dict(
            zip(signs, _SIGN_CODES, strict=False)
        )
        super().__init__({ord(char): code for char, code in self.codes.items()})

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if char.isascii():
            stand_in = char
        elif _is_letter(char):
            stand_in = _LETTER
        else:
            stand_in = " " if char.isspace() else _SIGN
        if len(self) < 20_000:
            self[code] = stand_in
        return stand_in

    def of(self, lower: str) -> bytes:
        """The shadow of a text in lower case: one byte for each character."""
        return (lower if lower.isascii() else lower.translate(self)).encode("latin-1")


def _spans(regex: re2._Regexp, shadow: bytes) -> Iterator[tuple[int, int]]:
    """Places of the first group; the next search starts right behind it, not behind the match.

    Where the group ends with a sign, that sign may be the one before the next word.
    """
    has_before = regex.pattern.startswith(b"(?:^")
    place = 0
    while match := regex.search(shadow, place):
        start, end = match.span(1)
        yield start, end
        is_shared = has_before and end > 1 and _SIGN_BYTE.match(shadow, end - 1)
        place = end - 1 if is_shared else end


def _by_alphabet(
    entries: Iterable[tuple[str, Pattern]],
) -> Iterator[list[tuple[str, Pattern]]]:
    """Parts whose letters beyond ASCII fit into the codes of one shadow."""
    part: list[tuple[str, Pattern]] = []
    letters: set[str] = set()
    for entry in entries:
        more = _letters(_text(entry[1]))
        if part and len(letters | more) > len(_LETTER_CODES):
            yield part
            part, letters = [], set()
        part.append(entry)
        letters |= more
    if part:
        yield part


def _text(pattern: Pattern) -> str:
    """The phrase or the expression in the form that normalised text has."""
    if pattern.phrase:
        return " ".join(normalise(pattern.phrase).lower.split())
    return lower(pattern.regex or "")


def _letters(text: str) -> set[str]:
    return {char for char in text if not char.isascii() and _is_letter(char)}


@cache
def _is_letter(char: str) -> bool:
    """Whether the character belongs to a word; marks do (Hindi vowels), unlike in `re`."""
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def _source(pattern: Pattern, shadows: _Shadows) -> str:
    """The expression to run over the shadow."""
    text = _text(pattern)
    if not text:
        raise ProfileError(f"pattern {pattern.name!r} is empty; expected a phrase or an expression")
    is_wide = bool(_letters(text))
    if pattern.phrase:
        core = r"\s+".join(re.escape(word.translate(shadows)) for word in text.split())
        starts, ends = _in_word(text[0]), _in_word(text[-1])
    else:
        core, starts, ends = translate(pattern.name, text, shadows.codes, is_wide)
    if is_wide:
        before = f"(?:^|{_NO_LETTER})" if starts else ""
        after = f"(?:{_NO_LETTER}|$)" if ends else ""
        return f"{before}({core}){after}"
    return (r"\b" if starts else "") + core + (r"\b" if ends else "")


def _check(pattern: Pattern, place: str) -> Callable[[str], bool] | None:
    """What must hold for the text that the pattern finds."""
    if pattern.check and pattern.check not in CHECKS:
        expected = ", ".join(CHECKS)
        raise ProfileError(f"{place}: unknown check {pattern.check!r}; expected one of {expected}")
    return CHECKS.get(pattern.check)


def _in_word(char: str) -> bool:
    return char == "_" or _is_letter(char)
