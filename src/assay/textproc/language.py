"""The language of a text, told by its script and, in Latin script, by its function words.

Blind spots: a Latin text with none of the twelve languages' function words, such as a lone name,
is taken for English; dialects are not told apart.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cache, lru_cache

from assay.core.sample import Sample
from assay.data import languages
from assay.textproc.normal import Normal, normalise
from assay.textproc.words import Words

SAMPLED = 2000
"""Characters looked at; more do not change the verdict."""
GLANCED = 1000
"""Characters that tell the language under which a sample is listed."""


def detect(normal: Normal, words: Words) -> str:
    """The language code, or "und" (undetermined) for a text without letters."""
    if normal.lower.isascii():
        return _by_words(words) if any(map(str.isalpha, normal.lower[:SAMPLED])) else "und"
    counts = Counter(normal.lower[:SAMPLED])
    letters = {char: count for char, count in counts.items() if char.isalpha()}
    if not letters:
        return "und"
    table = languages()
    scripts: Counter[str] = Counter()
    for char, count in letters.items():
        scripts[_script(char)] += count
    script = max(sorted(scripts), key=scripts.__getitem__)
    if script == "LATIN" and not (script := _script_around_names(words)):
        return _by_words(words)
    result = table.scripts.get(script, "und")
    own = {
        code: sum([counts[sign] for sign in set(signs)])
        for code, signs in table.letters.get(result, {}).items()
    }
    best = max(own, key=own.__getitem__, default=result)
    return best if own.get(best, 0) * 50 > sum(letters.values()) else result


def _script_around_names(words: Words) -> str:
    """The script other than Latin that a text opens with, where its Latin words are but names.

    "كيف أثبت Visual Studio Code" is Arabic: none of its Latin words tells a language.
    """
    first = words.all[0] if words.all else ""
    script = _script(first[0]) if len(first) > 1 else "LATIN"
    known = _known_words()
    is_told = any(len(word) > 1 and word in known for word in words.all[:400])
    return "" if is_told or script not in languages().scripts.keys() - {"LATIN"} else script


FEW = 3
"""With fewer words a text in Latin script may be of any language: a name, a number, a code."""


def tells_language(code: str, other: str, text: Normal, word_count: int) -> bool:
    """Whether a text tells that it is in the language `code` and not in the other one.

    Of two languages in Latin script, a text of a few words does not.
    """
    is_latin = is_latin_text(text.text) and not is_other_script(other)
    return code == other or not is_latin or word_count >= FEW


def is_latin_text(text: str) -> bool:
    """Whether all letters of a text are Latin ones."""
    return text.isascii() or not any(char > "\u0370" for char in text)


def language_of(text: str) -> str:
    """The language code of a text as given, or "und"."""
    prepared = normalise(text)
    return detect(prepared, Words(prepared))


def listed_language(sample: Sample, detected: str | None = None) -> str:
    """The language that a sample is listed under: its own, else that of its answer or question.

    "unknown" where none can be told. `detected` is the language of the whole response, where it is
    known already; it is the same for a response of at most `GLANCED` characters.
    """
    if sample.language:
        return sample.language
    if detected and sample.response and len(sample.response) <= GLANCED:
        return "unknown" if detected == "und" else detected
    code = language_of((sample.response or sample.query or "")[:GLANCED])
    return "unknown" if code == "und" else code


def _by_words(words: Words) -> str:
    """The Latin-script language with most of the text's words; English on one word or none.

    Single letters alone, as in "e.g." or the rows of a puzzle, tell no language.
    """
    scores = dict.fromkeys(languages().words, 0)
    known = _known_words()
    has_words = set[str]()
    for word, count in Counter(filter(known.__contains__, words.all[:400])).items():
        for code in known[word]:
            scores[code] += count
            if len(word) > 1:
                has_words.add(code)
    most = max(scores.values())
    if most <= 1 or scores["en"] == most:
        return "en"
    best = next(code for code, score in scores.items() if score == most)
    return best if best in has_words else "en"


@cache
def _known_words() -> Mapping[str, tuple[str, ...]]:
    """Function word → the languages that have it."""
    known_words: dict[str, tuple[str, ...]] = {}
    for code, listed in languages().words.items():
        known_words |= {word: (*known_words.get(word, ()), code) for word in listed}
    return known_words


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The first word of the letter's Unicode name: its script."""
    return unicodedata.name(char, "UNKNOWN").partition(" ")[0]


def is_other_script(code: str) -> bool:
    """Whether a language is written in another script than Latin, so that no doubt is left."""
    return code != "und" and code not in languages().words
