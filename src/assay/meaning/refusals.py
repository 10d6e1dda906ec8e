"""Whether a response declines what was asked, in named measures and with the places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import log1p
from typing import NamedTuple

from assay.data.meaning import ARABIC_FOLDED, meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.words import Word, keys_of

_QUOTED = re.compile(
    r'"[^"\n]{1,400}"|(?<!\w)\'(?:[^\'\n]|(?<=\w)\'(?=\w)){3,400}\'(?!\w)|```.*?(?:```|$)', re.S
)
_LISTED = re.compile(r"^[^\S\n]*(?:\d+[.)]|[-*•])\s", re.M)
CONTENT = 4
"""So many content words behind a "but" answer what was asked."""
SHORT = 10
"""Up to so many further content words a response that declines first gives no answer."""
HEAD = 400
"""Characters of a response that the n-grams of a refusal are taken of: it comes first."""
LATIN = 0.5
"""From this share of ASCII characters on, the n-grams of English responses apply."""
LEAST_ACT = 4
"""Letters of an Arabic verb of the first person at least; shorter ones are nouns: "ولا إثم"."""
MOST = 3
"""Declining sentences that are counted."""


class Declining(NamedTuple):
    """A sentence that declines, by its place in the text."""

    start: int
    end: int


class Refusal(NamedTuple):
    """What a response says for and against being a refusal."""

    measures: Mapping[str, float]
    declining: Sequence[Declining]
    unquoted: str
    """The text in lower case without what is quoted and without phrases such as "can't wait"."""


def refusal(query: TextReading | None, response: TextReading) -> Refusal:
    """Read a response for signs that it declines."""
    lower = response.text.lower().translate(ARABIC_FOLDED)
    unquoted = _QUOTED.sub(lambda result: " " * len(result.group()), lower)
    table = meaning_words().refusal
    results = query.keys if query else frozenset()
    is_topic = query is not None and _asks_to_decline(query)
    is_quote = query is not None and _quotes_a_refusal(query)
    is_voiced = is_topic or is_quote or (query is not None and _asks_for_voice(query))
    asked = _asked_acts(query) if query else frozenset()
    is_letter = is_voiced and lower.lstrip().startswith(table["salutations"])
    making = frozenset() if is_quote or is_letter else _making()
    sentences = _sentences(response, unquoted)
    parts = _parts(sentences)
    whole = f" {' '.join([word.text for words in sentences for word in words])} "
    harmless = [phrase for phrase in table["harmless"] if phrase in whole]
    has_request = query is not None and _asks_for_service(query)
    declining: list[Declining] = []
    declining_words = rest_words = kept = 0
    first, acts, contrasts, offers, complies, caveats = -1, 0, 0, 0, 0, 0
    is_caveat = is_declined = False
    for number, (words, is_contrast) in enumerate(parts):
        text = unquoted[words[0].start : words[-1].end]
        sign = _sign(words, asked, harmless) or (_turns_down(words, asked) if has_request else None)
        head = text.lstrip(" '\"")
        is_offer = head.startswith(table["offers"]) or (bool(declining) and _is_referral(words))
        if is_contrast and sign is None and not is_offer:
            contrasts += is_declined
            caveats += is_caveat
        is_declined, is_caveat = sign is not None, sign is None and _is_modest(words)
        offers += is_offer
        complies += head.startswith(table["complies"]) or (has_request and _is_done(words, asked))
        if sign is None:
            if not is_offer:
                rest_words += sum(1 for word in words if not word.is_empty)
            continue
        is_asked = is_quote or (is_voiced and sign.is_personal)
        is_asked |= bool(sign.keys) and sign.keys <= results
        if is_asked and not _is_meta(words, asked | making):
            kept += 1
            continue
        declining.append(Declining(words[0].start, words[-1].end))
        declining_words += len(words)
        if first < 0:
            first = number
        acts += any(word.key in results and not word.is_empty for word in words)
    count = max(1, sum(len(words) for words, _ in parts))
    figures = [
        f for f in response.figures if not any(d.start <= f.start < d.end for d in declining)
    ]
    measures = {
        "declines": float(bool(declining)),
        "declines_more": min(MOST, len(declining)) - 1.0 if declining else 0.0,
        "first": float(0 <= first <= 1),
        "share": declining_words / count,
        "rest": log1p(rest_words) if declining else 0.0,
        "length": log1p(count),
        "act": float(acts > 0),
        "contrast": float(contrasts > 0),
        "caveat": float(caveats > 0),
        "offers": float(offers > 0 and bool(declining)),
        "complies": float(complies > 0),
        "figures": float(bool(figures) and bool(declining)),
        "code": float("```" in response.text),
        "listed": float(len(_LISTED.findall(response.text)) > 1),
        "asked_for": float(kept > 0 or (is_voiced and not declining)),
        "opening": float(first == 0 and rest_words <= SHORT and not figures and not contrasts),
        "unread": float(not declining and not is_latin(unquoted)),
        "quoted": 1.0 - len(unquoted.split()) / max(1, len(lower.split())),
    }
    return Refusal(measures, declining, _harmless().sub(" ", unquoted))


def is_latin(text: str) -> bool:
    """Whether there is text whose n-grams the model knows: most of it in ASCII."""
    head = text[:HEAD]
    if head.isascii():
        return bool(head.strip())
    return bool(head.strip()) and sum(map(str.isascii, head)) >= LATIN * len(head)


class _Sign(NamedTuple):
    """What makes a sentence decline."""

    keys: frozenset[str]
    """The content keys of a phrase that a query may ask for ("write an apology"), or none."""
    is_personal: bool = True
    """Whether a character of a story or the writer of a letter may say so: "I cannot"."""


def _sentences(response: TextReading, unquoted: str) -> list[list[Word]]:
    """The sentences outside quotation marks."""
    sentences: dict[int, list[Word]] = {}
    for word in response.words:
        if not unquoted[word.start].isspace():
            sentences.setdefault(word.sentence, []).append(word)
    return list(sentences.values())


def _sign(words: Sequence[Word], asked: frozenset[str], harmless: Sequence[str]) -> _Sign | None:
    """What makes the sentence decline, or None; `asked` are the verbs of the query.

    `harmless` are the phrases that decline nothing and stand in the response.
    """
    table = meaning_words()
    lists = table.refusal
    texts = [word.text for word in words]
    joined = f" {' '.join(texts)} "
    plain = joined
    if any(map(joined.__contains__, harmless)):
        for phrase in lists["harmless"]:
            if phrase in plain:
                plain = plain.replace(phrase, " ")
    strong, singles = _strong()
    phrases = [entry for text in {*texts} if text in strong for entry in strong[text]]
    for _, spaced, phrase in sorted([*phrases, *singles]):
        if spaced in plain:
            keys = frozenset(w.key for w in words if w.text in phrase.split() and not w.is_empty)
            return _Sign(keys, phrase.split()[0] in _words("personal"))
    left = set(plain.split())
    for place, word in enumerate(words):
        is_negation = word.text in table.negations or word.text.endswith("n't")
        is_negation |= word.text == "unable"
        if not is_negation or word.text not in left:
            continue
        follows = words[place + 1 : place + 4]
        if not word.text.isascii():
            if _is_arabic_act(words, place):
                return _Sign(frozenset())
            continue
        near = words[max(0, place - 6) : place]
        before = [w.text for w in near if w.clause == word.clause]
        is_mine = not set(before).isdisjoint(_words("first_person"))
        behind = [w.text for w in words[place + 1 : place + 7] if w.clause == word.clause]
        if "enough" in behind:  # "can't recommend it enough"
            continue
        is_thing = "something" in behind[:2] and not set(behind).isdisjoint(_words("first_person"))
        is_thing |= not _OWN.isdisjoint(behind[:4]) and not set(behind).isdisjoint(_words("roles"))
        is_thing |= _is_of_me(word, near, words[place + 1 : place + 7], asked)
        is_act = any(w.key in _acts() or w.key in asked for w in follows)
        if is_thing or (is_mine and is_act):
            return _Sign(frozenset())
    return None


def _is_arabic_act(words: Sequence[Word], place: int) -> bool:
    """Whether لا or لن stands before a verb of the first person; "لا حوادث ولا أعطال" has none."""
    word = words[place]
    if place + 1 == len(words) or word.text.lstrip("فو") not in ("لا", "لن"):
        return False
    if len(words[place + 1].text) < LEAST_ACT:
        return False
    is_pair = word.text == "ولا" and any(
        own.text == "لا" and words[at + 1].text[0] not in "ان"
        for at, own in enumerate(words[:place])
    )
    return words[place + 1].text[0] in "ان" and not is_pair


_OWN = frozenset(("my", "our"))
_SOURCES = frozenset(("from me", "from us"))
_THINGS = frozenset(("one", "ones", "anything", "what"))


def _is_of_me(
    word: Word, before: Sequence[Word], behind: Sequence[Word], asked: frozenset[str]
) -> bool:
    """Whether a negation denies what "I" do, though "I" do not stand before it.

    "Such texts are nothing I explain", "not one I answer", "you get no code from me", and with the
    verb first "I give no advice".
    """
    texts = [own.text for own in behind if own.clause == word.clause]
    acts = _acts() | asked
    is_amount = bool(_words("amounts").intersection(texts[:1]))
    if not is_amount and any(" ".join(pair) in _SOURCES for pair in pairwise(texts)):
        return True
    if word.text in ("no", "nothing") and not is_amount:
        mine = [own for own in before if own.clause == word.clause]
        speaks = any(own.text in _words("speakers") for own in mine)
        if speaks and mine and mine[-1].key in acts:
            return True
    at = 0 if word.text == "nothing" else 1
    is_named = at == 0 or (bool(texts) and texts[0] in _THINGS)
    is_said = bool(texts[at : at + 1]) and texts[at] in _words("speakers")
    return is_named and is_said and any(own.key in acts for own in behind[at + 1 : at + 5])


def _asks_to_decline(query: TextReading) -> bool:
    """Whether the query asks for a text that declines something."""
    lower = query.text.lower().translate(ARABIC_FOLDED)
    topics = meaning_words().refusal["topics"]
    return any(phrase in lower for phrase in topics) or not query.keys.isdisjoint(_topic_keys())


def _asks_for_voice(query: TextReading) -> bool:
    """Whether the answer speaks with another voice: a poem, a letter, a role."""
    lower = query.text.lower().translate(ARABIC_FOLDED)
    padded = f" {' '.join(_TOKEN.findall(lower))} "
    return any(f" {phrase}" in padded for phrase in meaning_words().refusal["voices"])


_Phrase = tuple[int, str, str]
"""A phrase's place in the list, the phrase with a blank before, and as it is."""


def _quotes_a_refusal(query: TextReading) -> bool:
    """Whether the query quotes words that decline, such as those to translate."""
    lower = query.text.lower().translate(ARABIC_FOLDED)
    return any(
        any(f" {phrase}" in f" {quoted.group()[1:]}" for phrase in _words("quoted"))
        for quoted in _QUOTED.finditer(lower)
    )


def _asked_acts(query: TextReading) -> frozenset[str]:
    """The keys of the verbs with which the query asks: its first word, and the one after "you"."""
    words = query.words
    return frozenset(
        word.key
        for place, word in enumerate(words)
        if not word.is_empty
        and (
            place == 0
            or words[place - 1].text in _words("asking")
            or words[place - 1].clause != word.clause
        )
        and word.sentence == words[-1].sentence
    )


_TOKEN = re.compile(r"[^\W_]+")


def _is_meta(words: Sequence[Word], made: frozenset[str]) -> bool:
    """Whether the sentence speaks of the request or of the text itself; `made` names its verbs."""
    named = [
        word.text in _words("meta")
        or word.bare in _words("meta")
        or word.key in made
        or word.text in made
        for word in words
    ]
    return any(named) or any(
        word.text in _POINTING and (place + 1 == len(words) or words[place + 1].is_empty)
        for place, word in enumerate(words)
    )


_POINTING = frozenset(("this", "that"))
"""Words that mean the request where no noun follows."""


def _is_referral(words: Sequence[Word]) -> bool:
    """Whether the words send the reader to somebody else."""
    table = meaning_words().refusal
    known = {word.text for word in words} | {word.bare for word in words}
    return not known.isdisjoint(table["referrals"]) and not known.isdisjoint(table["referring"])


@cache
def _strong() -> tuple[Mapping[str, list[_Phrase]], list[_Phrase]]:
    """Phrases that decline by their first word, and those of a single word."""
    entries = [
        (place, f" {phrase}", phrase)
        for place, phrase in enumerate(meaning_words().refusal["strong"])
    ]
    by_first: dict[str, list[_Phrase]] = {}
    for entry in entries:
        if " " in entry[2]:
            by_first.setdefault(entry[2].split(" ")[0], []).append(entry)
    return by_first, [entry for entry in entries if " " not in entry[2]]


@cache
def _contrast() -> tuple[frozenset[str], frozenset[str]]:
    """Words and pairs of words such as "but", and the first words of the pairs."""
    listed = frozenset(meaning_words().refusal["contrast"])
    return listed, frozenset(phrase.split()[0] for phrase in listed if " " in phrase)


@cache
def _words(name: str) -> frozenset[str]:
    """A list of words about refusals."""
    return frozenset(meaning_words().refusal[name])


@cache
def _topic_keys() -> frozenset[str]:
    listed = meaning_words().refusal["topics"]
    return keys_of([word for word in listed if word.isascii() and " " not in word])


@cache
def _making() -> frozenset[str]:
    listed = meaning_words().refusal["making"]
    return keys_of(listed) | frozenset(listed)


@cache
def _acts() -> frozenset[str]:
    return keys_of(meaning_words().refusal["acts"])


class _Part(NamedTuple):
    """A sentence, or the part of one before or behind a "but"."""

    words: Sequence[Word]
    is_contrast: bool
    """Whether a "but" stands before it."""


def _parts(sentences: Sequence[Sequence[Word]]) -> list[_Part]:
    """The sentences, parted at a "but" behind which enough is said to answer."""
    contrast, firsts = _contrast()
    parts: list[_Part] = []
    for words in sentences:
        start, is_contrast = 0, False
        texts = [word.text for word in words]
        if contrast.isdisjoint(texts) and firsts.isdisjoint(texts):
            parts.append(_Part(words, is_contrast))
            continue
        rest = sum(1 for word in words if not word.is_empty or word.is_number)
        for place, word in enumerate(words):
            rest -= not word.is_empty or word.is_number
            is_cut = word.text in contrast
            if not is_cut and word.text in firsts:
                is_cut = " ".join(own.text for own in words[place : place + 2]) in contrast
            if is_cut and rest >= CONTENT:
                if place > start:
                    parts.append(_Part(words[start:place], is_contrast))
                start, is_contrast = place + 1, True
        parts.append(_Part(words[start:], is_contrast))
    return parts


def _is_modest(words: Sequence[Word]) -> bool:
    """Whether "I" and a negation stand in a part that declines nothing: "I'm not a doctor"."""
    table = meaning_words()
    has_negation = any(w.text in table.negations or w.text.endswith("n't") for w in words)
    is_mine = any(w.text in _words("first_person") or w.text == "لست" for w in words)
    return has_negation and (is_mine or not words[0].text.isascii())


def _asks_for_service(query: TextReading) -> bool:
    """Whether the query asks to have something done that a service does."""
    services = _words("services")
    if not query.words:
        return False
    last = query.words[-1].sentence
    own = [word for word in query.words if word.sentence == last]
    texts = [word.text for word in own]
    is_request = texts[0] in services or not _words("requests").isdisjoint(texts)
    is_request |= texts[0] in ("can", "may", "could") and not _HAVING.isdisjoint(texts)
    return is_request and any(word.text in services or word.bare in services for word in own)


_HAVING = frozenset(("have", "get"))


def _turns_down(words: Sequence[Word], asked: frozenset[str]) -> _Sign | None:
    """A sign where something is "not possible" or "not accepted"."""
    table = meaning_words()
    listed = frozenset(table.refusal["impersonal"])
    joined = f" {' '.join(word.text for word in words)} "
    if joined.startswith((" please note", " note that", " يرجي العلم", " علما")):
        return None
    if any(f" {phrase} " in joined for phrase in table.refusal["denials"]):
        return _Sign(frozenset())
    for place, word in enumerate(words):
        if word.text in table.negations or word.text.endswith("n't"):
            near = words[place + 1 : place + 4]
            if any(o.text in listed or o.bare in listed or o.key in asked for o in near):
                return _Sign(frozenset())
    return None


def _is_done(words: Sequence[Word], asked: frozenset[str]) -> bool:
    """Whether what is asked has been done: "your table is booked", but no "booked out"."""
    table = meaning_words()
    if any(word.text in table.negations or word.text.endswith("n't") for word in words):
        return False
    return any(
        word.key in asked and word.text.endswith("ed") and before.text in table.lists["being"]
        for before, word, behind in zip(words, words[1:], [*words[2:], None], strict=False)
        if behind is None or behind.text not in ("out", "up")
    )


@cache
def _harmless() -> re.Pattern[str]:
    """Phrases with "I" and a negation, or with "sorry", that decline nothing."""
    listed = sorted(meaning_words().refusal["harmless"], key=len, reverse=True)
    return re.compile("|".join([_NOT_ENOUGH, *map(re.escape, listed)]))


_NOT_ENOUGH = r"can(?:no|')t\b[^.,;:!?\n]{1,40}\benough\b"
"""As in "I can't recommend it enough"."""
