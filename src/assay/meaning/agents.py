"""Who did it: whether a response makes the expected answer the one to whom it was done."""

from __future__ import annotations

from assay.data.meaning import meaning_words
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import has_root, synonyms
from assay.meaning.word_relations import aliases, converses
from assay.meaning.words import Word, arabic_stem

MOST_WORDS = 100
"""Longer responses are not read for who acts, so that time stays linear."""
_WHO, _TO = "من", "الي"
_JOINED_TO = "ل"
"""Arabic for "to", written together with the next word."""


def names_other_agent(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether "Who beat Paul?" is answered by "Paul beat Ines", where Ines is expected."""
    if not query.words or not response.words or response.scopes:
        return False
    if len(response.words) > MOST_WORDS:
        return False
    if _first_word(query).text == _WHO:
        return _is_arabic_object(query, response, accepted) or _is_arabic_receiver(
            query, response, accepted
        )
    if not _asks_who_did(query, response):
        return False
    lists = meaning_words().lists
    wanted = accepted.content.keys() - query.content.keys() or accepted.content.keys()
    verbs = _verbs(query)
    words = response.words
    for place, word in enumerate(words):
        if word.key not in verbs or word.is_capital:
            continue
        own = [w for w in words if w.sentence == word.sentence]
        before = [w for w in own if w.start < word.start and not w.is_empty]
        behind = [w for w in own if w.start > word.start]
        is_object = any(w.key in wanted for w in behind if not w.is_empty)
        is_subject = any(w.key in wanted for w in before)
        if not is_object or is_subject or not before:
            continue
        is_other = before[-1].is_capital and all(w.key in query.keys for w in before)
        is_linked = any(w.text in lists["being"] for w in own) or "'" in words[place - 1].text
        if is_other and not is_linked:
            return True
    return False


def tells_right_side(
    query: TextReading, response: TextReading, accepted: TextReading
) -> bool | None:
    """Whether a response has the roles right that it tells from the other side.

    To "Who taught Ida?", where Max is expected, "Ida was a pupil of Max" is right and "Max was a
    pupil of Ida" is wrong; None where it is not told so.
    """
    if not query.words or response.scopes or len(response.words) > MOST_WORDS:
        return None
    if not _asks_who_did(query, response):
        return None
    wanted = accepted.content.keys() - query.content.keys()
    for key in query.content:
        turned = converses().get(key, frozenset()) - query.keys
        others = query.content.keys() - {key}
        for word in response.words if turned else ():
            if word.key not in turned:
                continue
            own = [w for w in response.words if w.sentence == word.sentence]
            before = {w.key for w in own if w.start < word.start}
            behind = {w.key for w in own if w.start > word.start}
            if wanted & behind and others & before and not wanted & before:
                return True
            if wanted & before and others & behind and not wanted & behind:
                return False
    return None


def _first_word(query: TextReading) -> Word:
    last = query.words[-1].sentence
    return next(word for word in query.words if word.sentence == last)


def _asks_who_did(query: TextReading, response: TextReading) -> bool:
    """Whether a question asks for the one who acts, and the response tells of acts plainly."""
    lists = meaning_words().lists
    is_asked = _first_word(query).text in lists["asking_who"]
    return is_asked and all(lists["no_subject"].isdisjoint(one.texts) for one in (query, response))


def _verbs(query: TextReading) -> frozenset[str]:
    """The keys of plain words of a question, and of words that may stand for them."""
    keys = {key for key, word in query.content.items() if not word.is_capital}
    others = {other[0] for key in keys for other in aliases().get((key,), ()) if len(other) == 1}
    near = {other for key in keys for other in synonyms().get(key, ())}
    return frozenset(keys | others | near)


def _is_arabic_object(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether the response has the verb of the question first, and the answer behind "to"."""
    verb, words = query.words[1:2], response.words
    if not verb or not has_root(verb[0].key, (words[0].key,)) or len(words) < 3:
        return False
    if words[1].key in accepted.content or words[1].key not in query.keys:
        return False
    prepositions = meaning_words().lists["arabic_prepositions"]
    return any(
        word.key in accepted.content and _is_behind(words[place - 1], prepositions)
        for place, word in enumerate(words)
        if place
    )


def _is_behind(before: Word, prepositions: frozenset[str]) -> bool:
    return before.text in prepositions


def _is_arabic_receiver(query: TextReading, response: TextReading, accepted: TextReading) -> bool:
    """Whether the response does the act of the question to the one who is to have done it."""
    verb = next(iter(query.content), None)
    if verb is None or not has_root(verb, response.content):
        return False
    agents = (key for key in accepted.content if not has_root(verb, (key,)))
    agent = next(agents, None)
    if agent is None or agent in query.keys:
        return False
    named = [place for place, word in enumerate(response.words) if _names(word, agent)]
    return bool(named) and all(_is_given(response.words, place, agent) for place in named)


def _names(word: Word, key: str) -> bool:
    """Whether a word has a key, "to" joined to it or not: سمير, لسمير."""
    is_joined = word.text[0] == _JOINED_TO and arabic_stem(word.text[1:]) == key
    return word.key == key or is_joined


def _is_given(words: list[Word], place: int, key: str) -> bool:
    """Whether an Arabic word stands behind "to" or has it joined: إلى المدير, لسمير, للوزارة."""
    word = words[place]
    is_joined = word.key != key or (word.has_article and word.text[0] == _JOINED_TO)
    return is_joined or (place > 0 and words[place - 1].text == _TO)
