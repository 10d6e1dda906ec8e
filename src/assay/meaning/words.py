"""The words of a text with their places, and the keys by which two texts' words are compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import NamedTuple
from unicodedata import combining, normalize

from assay.data import languages, lexicon
from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.data.wordnet import irregular_forms
from assay.textproc.stem import MEMO_LENGTH, MEMO_SIZE, stems

_WORD = re.compile(
    r"\d+(?:[.,]\d+)*"
    r"|[وفبلك](?=\d)"  # a particle written together with digits: و30
    r"|[^\W\d_][^\W_]*(?:'(?:[^\W\d_]{1,3})\b)?"
    r"|[%٪$€£₹¥°]"
)
_LETTER = re.compile(r"[A-HJ-Z](?<=\w..)(?![^\W_])", re.DOTALL)
"""Finds all that `_is_letter` may take for a name, and a little more. It begins with the letter, of
which most texts have none: that halves the cost."""
_BREAK = re.compile(r"[.,;:!?()\[\]{}\"\n،؛؟–—]|\s-+\s")
_DASH = re.compile(r"\s-+\s")
_MARK = re.compile(r"[.,;:!?()\[\]{}\"\n،؛؟–—]")
"""What `_BREAK` finds in a text without a dash, at a third of the cost."""
_ASCII_MARK = re.compile(r"[.,;:!?()\[\]{}\"\n]")
"""What `_MARK` finds in ASCII, at a fourth of the cost."""
_EDGES = "!\"#&'()*+,-./:;<=>?@[\\]^_`{|}~"
"""Marks that are neither a word nor part of one at its ends."""
_STOPS = ".!?\n؟؛;"
_SENTENCE = re.compile(f"[{_STOPS}]")
_UNBROKEN = bytes(c for c in range(128) if chr(c) not in '.,;:!?()[]{}"\n-')
"""The ASCII characters that end no clause and no sentence."""
_LETTERS = bytes(
    c if chr(c).isalpha() else 0 if chr(c).isdecimal() or chr(c) in "'_%$" else ord(" ")
    for c in range(128)
)
_LETTERS += bytes(128)
"""ASCII letters as they are, a blank for what parts words, 0 for what may be part of a word too."""
_ARABIC = re.compile("[\u0600-\u06ff]")
_SEPARATORS = str.maketrans("٫٬", ".,")
_PREFIXES = ("ولل", "وبال", "وكال", "فلل", "وال", "بال", "كال", "فال", "لل", "ال")
_SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي", "ا")
_PARTICLES = "وفبلك"
"""Arabic letters that are words of their own, written together with the next one."""
PHRASE = 4
"""So many words from a verb on its particle is looked for."""
YING = 5
"""Longer words that end so are forms of a verb in "y"."""
ROOT = 3
"""Consonants of nearly all Arabic roots."""
_HAMZA = str.maketrans("ؤئ", "ءء")
_ROOT_SUFFIXES = ("هما", "هم", "ها", "نا", "ات", "ون", "ين", "تم", "وا", "ت", "ه", "ي")
_ROOT_PREFIXES = ("است", "يست", "تست", "مست", "نست", "سي", "ست")
_PREPOSED = "بلكف"
"""Particles that may be written together with a word without an article."""
_LONG_VOWELS = "اوي"
_FORMING = "امتين"
"""Letters that patterns of verbs and nouns put before a root."""
_LAST_LATIN = "\u024f"
_new = tuple.__new__
"""Makes a named tuple out of a row in half the time that its own constructor takes."""


class Word(NamedTuple):
    """A word of a text, in lower case and plain letters."""

    text: str
    start: int
    end: int
    key: str
    """Equal for words of the same stem and for irregular forms of one word: bought, buy."""
    bare: str
    """Without the Arabic article and particles; else as `text`."""
    is_capital: bool
    """Whether it is written with a capital letter as its first or second one: Rome, iOS."""
    clause: int
    """The number of its clause in the text."""
    sentence: int
    has_article: bool
    is_empty: bool
    """Whether it says nothing of what the text is about."""

    @property
    def is_number(self) -> bool:
        """Whether it begins with a digit."""
        return self.text[0].isdecimal()


def words_of(text: str, lower: str, plain: list[str] | None = None) -> list[Word]:
    """The words of a normalised text, which is given as it is and in lower case.

    Who knows its `plain_words` may give them; it saves a search.
    """
    folded = lower
    is_arabic = False
    if not lower.isascii():
        is_arabic = _ARABIC.search(lower) is not None
        folded = lower.translate(_SEPARATORS)
        if is_arabic:
            folded = folded.translate(ARABIC_FOLDED)
    breaks, stops = _ends(folded)
    entries, arabic_entries, known = _ENTRIES, _ARABIC_ENTRIES, _phrases()
    units = meaning_words().units
    result: list[Word] = []
    has_phrase = False
    has_capitals = not text.isascii() or text[1:] != lower[1:]
    clause = sentence = end = 0
    clause_end, sentence_end = breaks[0], stops[0]
    for word in plain_words(folded) if plain is None else plain:
        start = folded.index(word, end)
        end = start + len(word)
        while clause_end < start:
            clause += 1
            clause_end = breaks[clause]
        while sentence_end < start:
            sentence += 1
            sentence_end = stops[sentence]
        key, is_empty, bare, has_article = (
            arabic_entries[word] if is_arabic and not word.isascii() else entries[word]
        )
        is_capital = (has_capitals or not start) and (
            text[start].isupper()
            or (end - start > 2 and text[start + 1].isupper() and word not in units)
        )
        if is_capital and end - start == 1 and _is_letter(text, start, sentence, result):
            key, is_empty = text[start], False
        if key in known:
            has_phrase = True
        row = (word, start, end, key, bare, is_capital, clause, sentence, has_article, is_empty)
        result.append(_new(Word, row))
    return _with_phrases(result) if has_phrase else result


def _is_letter(text: str, start: int, sentence: int, before: list[Word]) -> bool:
    """Whether a capital letter by itself is a name, as in "lift A"; an initial "J." is none."""
    is_inside = bool(before) and before[-1].sentence == sentence and before[-1].end + 1 == start
    is_initial = text[start + 1 : start + 2] == "." and start + 2 < len(text)
    is_long = bool(before) and len(before[-1].text) > 1
    return is_inside and is_long and text[start] != "I" and text[start].isascii() and not is_initial


def has_letters(text: str) -> bool:
    """Whether a text may have a capital letter that is a name."""
    return _LETTER.search(text) is not None


def _with_phrases(words: list[Word]) -> list[Word]:
    """The words, in which a verb with its particle has the key of one word: turned … down."""
    known = _phrases()
    for place in [place for place, word in enumerate(words) if word.key in known]:
        word = words[place]
        parts = known[word.key]
        for other in range(place + 1, min(place + PHRASE, len(words))):
            own = words[other]
            if own.clause != word.clause:
                break
            if key := parts.get(own.text):
                words[place] = word._replace(key=key, is_empty=False)
                words[other] = own._replace(is_empty=True)
                break
    return words


def may_have_phrases(words: Iterable[str], keys: AbstractSet[str]) -> bool:
    """Whether words with these keys may hold both parts of a phrase."""
    known = _phrases()
    verbs = known.keys() & keys
    return bool(verbs) and any(not known[verb].keys().isdisjoint(words) for verb in verbs)


@cache
def _phrases() -> Mapping[str, Mapping[str, str]]:
    """Key of a verb → the words behind it that make another verb of it, each with its key."""
    table: dict[str, dict[str, str]] = {}
    for phrase, verb in meaning_words().phrases:
        first, _, second = phrase.partition(" ")
        table.setdefault(_ENTRIES[first][0], {})[second] = _ENTRIES[verb][0]
    return table


def _ends(folded: str) -> tuple[list[int], list[int]]:
    """Where clauses and where sentences end, with the end of the text behind the last ones."""
    if folded.isascii():
        marks = folded.encode().translate(None, _UNBROKEN)
        if not marks:
            return [len(folded)], [len(folded)]
        if len(marks) == 1 and folded[-1] in _STOPS:  # the usual sentence: one mark ends it
            return [len(folded) - 1, len(folded)], [len(folded) - 1, len(folded)]
    if "-" in folded and _DASH.search(folded):
        breaks, stops = _marks(_BREAK, folded), _marks(_SENTENCE, folded)
    else:  # every mark that ends a sentence ends a clause
        breaks = _marks(_ASCII_MARK if folded.isascii() else _MARK, folded)
        stops = [place for place in breaks if folded[place] in _STOPS]
    return [*breaks, len(folded)], [*stops, len(folded)]


def _marks(pattern: re.Pattern[str], folded: str) -> list[int]:
    """Where a pattern finds marks that stand in no number."""
    places = [match.start() for match in pattern.finditer(folded)]
    return [place for place in places if not _is_inside_number(folded, place)]


def plain_words(lower: str) -> list[str]:
    """The words of a text in lower case, whose Arabic letters are plain ones."""
    if lower.isascii():
        letters = lower.encode().translate(_LETTERS)
        if 0 not in letters:
            return letters.decode().split()
    words: list[str] = []
    for part in lower.split():
        if part.isalpha() or (part := part.strip(_EDGES)).isalpha():
            words.append(part)
        elif part:
            words += _WORD.findall(part)
    return words


def keys_of(words: Iterable[str]) -> frozenset[str]:
    """The keys of words that are no Arabic ones."""
    return frozenset(map(_KEYS.__getitem__, words))


_Entry = tuple[str, bool, str, bool]
"""Key, whether the word says nothing, the bare word, and whether it had an article."""


class _Entries(dict[str, _Entry]):
    """Word → what is known of it, filled as words are met."""

    def __missing__(self, word: str) -> _Entry:
        entry = self._entry(word)
        if len(word) <= MEMO_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = entry
        return entry

    def _entry(self, word: str) -> _Entry:
        plain = _without_accents(_plain(word))
        if plain.endswith("ying") and len(plain) > YING:  # flying is fly, and not fli
            plain = plain.removesuffix("ing")
        (key,) = stems([base_forms().get(plain, plain)])
        return key, word in empty_words() or not word[0].isalnum(), word, False


class _ArabicEntries(_Entries):
    """The same for the words of an Arabic text beyond ASCII."""

    def _entry(self, word: str) -> _Entry:
        bare, has_article = _bare(word)
        is_empty = not word[0].isalnum() or not empty_words().isdisjoint((word, bare))
        return arabic_stem(bare), is_empty, bare, has_article


class _Keys(dict[str, str]):
    """Word → its key, filled as words are met: what many texts are read for."""

    def __missing__(self, word: str) -> str:
        key = _ENTRIES[word][0]
        if len(word) <= MEMO_LENGTH:
            if len(self) >= MEMO_SIZE:
                self.clear()
            self[word] = key
        return key


_ENTRIES = _Entries()
_KEYS = _Keys()
_ARABIC_ENTRIES = _ArabicEntries()


def _is_inside_number(text: str, place: int) -> bool:
    """Whether a mark stands between two characters without a blank, as in 3.5 or U.S."""
    if text[place] not in ".,:":
        return False
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return after.isalnum() and before.isalnum()


def _without_accents(word: str) -> str:
    """The word in plain Latin letters: café is cafe; words of other scripts stay as they are."""
    if word.isascii() or word[0] > _LAST_LATIN:
        return word
    return "".join(char for char in normalize("NFKD", word) if not combining(char))


def _plain(word: str) -> str:
    """The word without 's and the like."""
    return word.partition("'")[0] if "'" in word and not word.endswith("n't") else word


@cache
def base_forms() -> Mapping[str, str]:
    """Irregular form → its base, but for function words and forms that are words of their own."""
    words = meaning_words()
    kept = empty_words() | words.own_forms | words.numbers.keys() | words.units.keys()
    result = {form: base for form, base in irregular_forms().items() if form not in kept}
    return {**result, **words.irregular}


@cache
def _known_arabic() -> frozenset[str]:
    """Arabic words that begin like a particle and must not lose it."""
    words = meaning_words()
    named = (words.weekdays, words.months, words.ordinals)
    counted = (words.numbers, words.scales, words.fractions, words.units, words.duals)
    own = frozenset(word for table in (*named, *counted) for word in table if not word.isascii())
    return own | words.negations


@cache
def _opposed_arabic() -> frozenset[str]:
    """Arabic words that have opposites: no short ones, which may be the end of another word."""
    words = meaning_words()
    listed = [word for sides in words.sides for side in sides for word in side]
    listed += [word for pair in words.opposites for word in pair]
    return frozenset(word for word in listed if len(word) > ROOT and not word.isascii())


def _bare(word: str) -> tuple[str, bool]:
    """An Arabic word without article and particles, and whether it had an article."""
    known = _known_arabic()
    if word in known:
        return word, False
    is_joined = word[0] in _PARTICLES and len(word) > 2
    if is_joined and (word[1:] in known or word[1:] in _opposed_arabic()):
        return word[1:], False
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 2:
            return word.removeprefix(prefix), True
    if word[0] == "و" and (len(word) > 4 or (len(word) == 4 and word[1] in "يت")):
        return word[1:], False
    return word, False


def arabic_stem(bare: str) -> str:
    """A light stem: without the usual endings, where three letters are left."""
    for suffix in _SUFFIXES:
        if bare.endswith(suffix) and len(bare) - len(suffix) >= 3:
            return bare.removesuffix(suffix)
    return bare


@lru_cache(maxsize=20_000)
def arabic_root(word: str) -> str:
    """The three consonants that a word is most likely made of; empty where they are not three.

    Endings, long vowels inside, and the letters that patterns put in front are taken off:
    وصول, يصلون and وصل are one, and so are إغلاق and أغلقت, ورقية and ورق, بقائمة and قائمة.
    """
    root = _root_of(word.translate(_HAMZA))
    if not root and word[0] in _PREPOSED and len(word) > ROOT + 1:
        root = _root_of(word[1:].translate(_HAMZA))
    return root


def _root_of(word: str) -> str:
    """The root of a word that no particle is written together with; empty where none is found."""
    for suffix in _ROOT_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= ROOT:
            word = word.removesuffix(suffix)
            break
    for prefix in _ROOT_PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= ROOT:
            word = word.removeprefix(prefix)
            break
    while len(word) > ROOT:
        inside = [n for n in range(1, len(word) - 1) if word[n] in _LONG_VOWELS]
        if inside:
            word = word[: inside[-1]] + word[inside[-1] + 1 :]
        elif word[0] in _FORMING:
            word = word[1:]
        elif len(word) == ROOT + 1 and word[1] == "ت":
            word = word[0] + word[2:]
        elif len(word) == ROOT + 1 and word[-1] == "ي":
            word = word[:-1]
        else:
            return ""
    return word.replace("ء", "ا") if len(word) == ROOT else ""


@cache
def empty_words() -> frozenset[str]:
    """Function words of English and Arabic, the latter in plain letters."""
    english = languages().words["en"] | _listed("function_words.en")
    arabic = frozenset(word.translate(ARABIC_FOLDED) for word in _listed("function_words.ar"))
    return english | arabic | meaning_words().lists["empty"]


def _listed(name: str) -> frozenset[str]:
    return frozenset(pattern.name for pattern in lexicon(name).patterns)
