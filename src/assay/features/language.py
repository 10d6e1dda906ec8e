"""The language of a text, told by its script and, in Latin script, by its function words.

Blind spots: a Latin text with none of the twelve languages' function words, such as a lone name,
is taken for English; dialects are not told apart.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from functools import lru_cache

from assay.core.metric import text_feature
from assay.data import languages
from assay.features.normal import Normal
from assay.features.words import Words

SAMPLED = 2000
"""Characters looked at; more do not change the verdict."""


@text_feature(data=("languages.toml",))
def language(normal: Normal, words: Words) -> str:
    """The language code, or "und" (undetermined) for a text without letters."""
    if normal.lower.isascii():
        return _by_words(words) if any(map(str.isalpha, normal.lower[:SAMPLED])) else "und"
    head = [char for char in normal.lower[:SAMPLED] if char.isalpha()]
    if not head:
        return "und"
    table = languages()
    scripts = Counter(map(_script, head))
    script = max(sorted(scripts), key=scripts.__getitem__)
    if script == "LATIN":
        return _by_words(words)
    found = table.scripts.get(script, "und")
    own = {
        code: sum(map(set(signs).__contains__, head))
        for code, signs in table.letters.get(found, {}).items()
    }
    best = max(own, key=own.__getitem__, default=found)
    return best if own.get(best, 0) * 50 > len(head) else found


def _by_words(words: Words) -> str:
    """The Latin-script language with most of the text's words; English on one word or none."""
    counts = Counter(words.all[:400])
    scores = {
        code: sum(map(counts.__getitem__, known.intersection(counts)))
        for code, known in languages().words.items()
    }
    best = max(scores, key=lambda code: (scores[code], code == "en"))
    return best if scores[best] > 1 else "en"


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The first word of the letter's Unicode name: its script."""
    return unicodedata.name(char, "UNKNOWN").partition(" ")[0]


def is_other_script(code: str) -> bool:
    """Whether a language is written in another script than Latin, so that no doubt is left."""
    return code != "und" and code not in languages().words
