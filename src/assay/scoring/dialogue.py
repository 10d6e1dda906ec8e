"""What the assistant of a conversation says or asks twice, and what it takes back."""

from __future__ import annotations

from typing import Literal

from assay.features.turns import DialogueTurn, Turns, TurnSentence, by, turn_sentences
from assay.meaning.conflicts import conflicts
from assay.meaning.reading import read
from assay.scoring.told_before import dialogue_words, is_request, is_told, thing_asked

SAME_QUESTION = 0.7
"""The share of all content words of two questions that both must have to be the same one."""
MIN_WORDS = 2
"""Content words without which a question asks for nothing in particular: "And then?"."""
MIN_STATEMENT = 3
"""Words without which a sentence states nothing: "Of course"."""
Repeat = tuple[TurnSentence, int]
"""A sentence, and the place of the earlier turn that it belongs to."""


def needless_questions(turns: Turns) -> tuple[int, list[Repeat]]:
    """How many questions the assistant asks, and those whose answer the user has given already."""
    sentences = turn_sentences(by("assistant", turns))
    questions = [one for one in sentences if one.is_question or is_request(one.text)]
    answers = by("user", turns)
    words = [frozenset(read(one.text).content) for one in questions]
    needless: list[Repeat] = []
    for place, one in enumerate(questions):
        earlier = list(zip(questions[:place], words, strict=False))
        before = _asked_before(one, words[place], earlier, answers)
        if before is None:
            before = _told_before(one, answers)
        if before is not None:
            needless.append((one, before))
    return len(questions), needless


def _asked_before(
    question: TurnSentence,
    words: frozenset[str],
    earlier: list[tuple[TurnSentence, frozenset[str]]],
    answers: list[DialogueTurn],
) -> int | None:
    """The turn in which the assistant asked the same, where the user has answered since."""
    for before, other in earlier:
        is_answered = any(before.turn < answer.place < question.turn for answer in answers)
        if is_answered and _is_same(words, other):
            return before.turn
    return None


def _told_before(question: TurnSentence, answers: list[DialogueTurn]) -> int | None:
    """The turn in which the user has told what is asked."""
    thing = thing_asked(question.text)
    told = (a.place for a in answers if a.place < question.turn and is_told(thing, a.normal.text))
    return next(told, None) if thing else None


def ending(turn: DialogueTurn) -> Literal["content", "discontent", "open"]:
    """What a turn of the user says of the conversation's end."""
    if turn.signs.get("frustration") or turn.signs.get("unresolved"):
        return "discontent"
    if not (thanks := turn.signs.get("resolution")):
        return "open"
    rest = turn.normal.original[thanks[-1].end :].lower().strip(" ,.!")
    goes_on = rest.startswith(("but ", "however")) or any(
        s.is_question for s in turn_sentences([turn])
    )
    return "open" if goes_on else "content"


def opposed(turns: Turns) -> tuple[int, list[Repeat]]:
    """How many statements the assistant makes, and those against one of an earlier turn."""
    statements = [
        (one, reading)
        for one in turn_sentences(by("assistant", turns))
        if _is_statement(one) and len((reading := read(one.text)).words) >= MIN_STATEMENT
    ]
    asked = {turn.place: turn.normal.lower for turn in by("user", turns)}
    against: list[Repeat] = []
    for place, (one, reading) in enumerate(statements):
        subject = f"{asked.get(one.turn - 1, '')} {one.text.lower()}"
        for before, earlier in statements[:place]:
            is_later = before.turn < one.turn and not (
                _is_narrower(subject, before.text.lower()) or _names_others(one.text, before.text)
            )
            if is_later and conflicts(reading, earlier, [earlier]):
                against.append((one, before.turn))
                break
    return len(statements), against


def _is_statement(sentence: TurnSentence) -> bool:
    """Whether it states something: no question, request or offer, no list, and no single case."""
    is_list = "\n" in sentence.text or sentence.text.startswith(("-", "*", "•"))
    return not (sentence.is_question or is_list or _begins_a_case(sentence.text.lower()))


def _begins_a_case(text: str) -> bool:
    return not dialogue_words("cases").isdisjoint(_words(text)[:1])


def _is_narrower(later: str, earlier: str) -> bool:
    """Whether a text is about an occasion or a group that the earlier one does not speak of."""
    moments = dialogue_words("moments")
    before, now = set(_words(earlier)), _calendar() & set(_words(later))
    is_other_moment = bool(now & moments and before & moments)
    return bool(now) and not is_other_moment and not before & (now | dialogue_words("always"))


def _calendar() -> frozenset[str]:
    return dialogue_words("occasions") | dialogue_words("moments")


def _names_others(later: str, earlier: str) -> bool:
    """Whether both texts name somebody or something, and never the same."""
    names, before = _names(later), _names(earlier)
    return bool(names and before) and not names & before


def _names(text: str) -> set[str]:
    """Words with a capital inside a sentence, but for "I" and days of the calendar."""
    words = {word for word in _words(text)[1:] if word[:1].isupper() and word != "I"}
    return {word for word in words if word.lower() not in _calendar()}


def _words(text: str) -> list[str]:
    return [word.strip(".,;:!?") for word in text.split()]


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    if min(len(one), len(other)) < MIN_WORDS:
        return False
    return len(one & other) >= SAME_QUESTION * len(one | other)
