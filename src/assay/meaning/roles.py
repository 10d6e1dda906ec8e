"""Who does what to whom, and from where to where: names and words that changed places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from assay.data.meaning import meaning_words
from assay.meaning.attachment import has_same_preposition, is_inverted, says_what_it_is
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.reading import TextReading
from assay.meaning.word_relations import converses
from assay.meaning.words import Word

NEAR_COPY = 0.75
"""Share of all content words that both must have for their order to be compared."""
MANY = 12
"""The order of more shared words is not compared."""
PARTICLES = "وفبلك"
"""Arabic letters that are words of their own, written together with the next one."""
_NONE: frozenset[str] = frozenset()
MOST_WAYS = 8
"""Of more ways in one text the first ones are compared."""
REACH = 6
"""So many words behind "from" its "to" is looked for, and so many behind that belong to it."""

Pair = tuple[Word, Word]
"""A word of the claim, and the same one of the reference."""


def _shared_names(claim: TextReading, reference: TextReading) -> list[Pair]:
    """The names of both texts in the claim's order; the words of one name count once."""
    units = reference.name_units
    if not units:
        return []
    taken: set[int] = set()
    result: list[Pair] = []
    parts: dict[int, list[str]] = {}
    for key, unit in claim.name_units.items():
        parts.setdefault(unit, []).append(key)
    openings = [word for word in _openings(claim) if word.key in units]
    for word in sorted((*_first_words(claim), *openings), key=lambda word: word.start):
        own = parts.get(word.start) or [word.key]
        shared = [key for key in own if key in units]
        if shared and units[shared[0]] not in taken:
            taken.add(units[shared[0]])
            result.append((word, reference.names[shared[0]]))
    return result


def _openings(reading: TextReading) -> list[Word]:
    """Words with a capital that begin a sentence: names where the other text has them as such."""
    words = reading.words
    firsts = {word.sentence: word for word in words[:1]}
    for word in words if words and words[-1].sentence != words[0].sentence else ():
        firsts.setdefault(word.sentence, word)
    return [w for w in firsts.values() if w.is_capital and w.key not in reading.names]


def _first_words(reading: TextReading) -> list[Word]:
    """The first word of each name."""
    units = reading.name_units
    return [word for key, word in reading.names.items() if units[key] == word.start]


def _order(claim: TextReading, reference: TextReading) -> bool | None:
    """Whether two names of both texts stand in the same order; None without two such names.

    Without capitals, as in Arabic, or with converse verbs between common nouns, two content words
    that changed places count as names.
    """
    shared = _shared_names(claim, reference)
    if len(shared) < 2:
        is_short = bool(claim.words) and len(claim.content) <= MANY
        if is_short and (not claim.words[0].text.isascii() or _has_converse(claim, reference)):
            return _plain_order(claim, reference)
        return None
    return shared[0][1].start < shared[1][1].start


def is_resolved_by_roles(claim: TextReading, reference: TextReading) -> bool:
    """Whether the order of names, which the check of roles compares, decides on a converse verb."""
    if len(_shared_names(claim, reference)) > 1:
        return True
    return _order(claim, reference) is False


def is_told_from_other_side(claim: TextReading, reference: TextReading) -> bool:
    """Whether both texts have two names, which a converse verb may have changed round."""
    if len(_shared_names(claim, reference)) > 1:
        return True
    return _has_converse(claim, reference) and _order(claim, reference) is False


def is_told_round(claim: TextReading, reference: TextReading) -> bool:
    """Whether two names changed places around converse verbs: "A lent B", "B borrowed from A"."""
    return _has_converse(claim, reference) and _order(claim, reference) is False


def _plain_order(claim: TextReading, reference: TextReading) -> bool | None:
    """Whether the words that both have stand in the same order; None unless two or none moved."""
    shared = _shared(claim, reference)
    moved = _moved_words(shared)
    if len(shared) < 2 or len(moved) not in (0, 2):
        return None
    return not moved


def _shared(claim: TextReading, reference: TextReading) -> list[tuple[Word, Word]]:
    """The content words of both texts in the claim's order, whatever Arabic particles they have."""
    result = []
    for key, word in claim.content.items():
        if key in reference.content:
            result.append((word, reference.content[key]))
        elif not key.isascii():
            forms = (*(f"{p}{key}" for p in PARTICLES), key[1:] if key[0] in PARTICLES else key)
            result += [(word, reference.content[f]) for f in forms if f in reference.content][:1]
    return result


def _moved_words(shared: list[tuple[Word, Word]]) -> list[tuple[Word, Word]]:
    """The pairs of words that stand in another order in the other text."""
    order = sorted((other for _, other in shared), key=lambda word: word.start)
    return [pair for pair, other in zip(shared, order, strict=True) if pair[1] is not other]


def role_differences(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Two names, or two words of a near copy, that changed places."""
    shared = _shared_names(claim, reference)
    if (way := turned_way(claim, reference)) is not None:
        yield way
        return
    if len(shared) < 2:
        is_flipped = _is_passive(claim) != _is_passive(reference)
        if is_flipped:
            yield from _turned_passive(claim, reference)
        elif _has_converse(claim, reference):
            yield from _unmoved(claim, reference)
        else:
            yield from _moved(claim, reference)
        return
    pairs = shared[:2]
    if _is_swapped(claim, reference, pairs) or _has_other_verbs(claim, reference, pairs):
        (first, one), (second, two) = pairs
        start, end = first.start, claim.name_end(second)
        other_start, other_end = min(one.start, two.start), max(map(reference.name_end, (one, two)))
        message = claim.quote(start, end)
        expected = reference.quote(other_start, other_end)
        if message.lower() == expected.lower():  # as in Leonardo da Vinci
            return
        message = repr(message) if len(message) < 60 else "the names"
        yield ClaimDifference("roles", message, expected, start, end, other_start, other_end)


def _is_passive(reading: TextReading) -> bool:
    return not meaning_words().lists["agent_marks"].isdisjoint(reading.texts)


def _turned_passive(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Who acts in the one text and is acted upon in the other: "A called B", "A was called by B".

    Both are near copies of one sentence with a verb between two things, and only one is passive.
    """
    shared = _shared(claim, reference)
    least = NEAR_COPY * max(len(claim.content), len(reference.content))
    if len(shared) < 3 or len(shared) < least or len(shared) > MANY:
        return
    passive, active = (claim, reference) if _is_passive(claim) else (reference, claim)
    lists, words = meaning_words().lists, passive.words
    place = next(n for n, word in enumerate(words) if word.text in lists["agent_marks"])
    verb = words[place - 1] if place > 1 and words[place - 2].text in lists["being"] else None
    agent = next((word for word in words[place + 1 :] if not word.is_empty), None)
    own = active.content.get(verb.key) if verb else None
    other = active.content.get(agent.key) if agent else None
    if verb is None or agent is None or own is None or other is None:
        return
    before = next((w for w in reversed(active.words) if w.end <= own.start), None)
    patient = next((w for w in reversed(words[: place - 2]) if w.key in active.content), None)
    subject = active.content[patient.key] if patient else None
    if patient is None or subject is None or before is None or before.text in lists["being"]:
        return
    if subject.start < own.start < other.start and own.sentence == other.sentence:
        spans = [(patient.start, agent.end), (subject.start, other.end)]
        mine, theirs = spans if passive is claim else spans[::-1]
        message, expected = claim.quote(*mine), reference.quote(*theirs)
        yield ClaimDifference("roles", repr(message), expected, *mine, *theirs)


def _unmoved(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Near copies with converse verbs whose other words did not change places.

    "The tenant sold the van to the neighbour" and "the tenant bought the van from the neighbour".
    """
    links = converses()
    shared = _shared(claim, reference)
    verbs = [
        word
        for key, word in claim.asserted.items()
        if not links.get(key, _NONE).isdisjoint(reference.asserted)
    ]
    shared = [pair for pair in shared if pair[0] not in verbs]
    least = NEAR_COPY * (max(len(claim.content), len(reference.content)) - 1)
    if len(verbs) != 1 or len(shared) < 3 or len(shared) < least or len(shared) > MANY:
        return
    behind = sum(word.start > verbs[0].start for word, _ in shared)
    is_around = 0 < behind < len(shared) or not verbs[0].text.isascii()
    if _moved_words(shared) or not is_around:
        return
    spans = [(part[0].start, part[-1].end) for part in zip(*shared, strict=True)]
    message, expected = claim.quote(*spans[0]), reference.quote(*spans[1])
    yield ClaimDifference("roles", repr(message), expected, *spans[0], *spans[1])


def _is_swapped(claim: TextReading, reference: TextReading, pairs: list[Pair]) -> bool:
    """Whether two names stand on the other sides of a verb."""
    (first, one), (second, two) = pairs
    is_converse = _has_converse(claim, reference)
    names = claim.names.keys() | reference.names.keys()
    rest = (claim.content.keys() & reference.content.keys()) - names
    if not rest and not is_converse:
        return False
    if is_inverted(claim, reference) or any(
        _governor(claim, own) == _governor(reference, other) != "" for own, other in pairs
    ):
        return False
    inner = [w for w in claim.words if first.end <= w.start < second.start]
    has_verb = any(not w.is_empty and not w.is_capital for w in inner)
    if not has_verb or not meaning_words().lists["list_joints"].isdisjoint(w.text for w in inner):
        return False
    is_flipped = _is_passive(claim) != _is_passive(reference)
    if is_flipped and not any(map(partial(_is_agent, claim), (first, second))):
        is_flipped = any(map(partial(_is_agent, reference), (one, two)))
    return (one.start < two.start) == (is_converse != is_flipped)


def _is_agent(reading: TextReading, name: Word) -> bool:
    """Whether "by" stands right before a name."""
    return _word_before(reading, name) in meaning_words().lists["agent_marks"]


def _governor(reading: TextReading, name: Word) -> str:
    """The small word right before a name that says what it is to the others: from, in, against."""
    word = _word_before(reading, name)
    return word if word in meaning_words().lists["governing"] else ""


def _word_before(reading: TextReading, name: Word) -> str:
    """The word before a name, articles left out; empty where the name stands first."""
    start = reading.name_units.get(name.key, name.start)
    owners = meaning_words().lists["owners"]
    before = [word for word in reading.words if word.end <= start and word.text not in owners]
    return before[-1].text if before else ""


def has_same_verb(claim: TextReading, reference: TextReading) -> bool:
    """Whether two names stand around the same verb in both texts, the one or the other way."""
    pairs = _shared_names(claim, reference)[:2]
    if len(pairs) < 2 or _is_passive(claim) or _is_passive(reference):
        return False
    (first, one), (second, two) = pairs
    inner = {w.key for w in claim.words if first.end <= w.start < second.start and _is_plain(w)}
    left, right = sorted((one, two), key=lambda word: word.start)
    other = {w.key for w in reference.words if left.end <= w.start < right.start and _is_plain(w)}
    return not inner.isdisjoint(other)


def _is_plain(word: Word) -> bool:
    return not word.is_empty and not word.is_capital


def _has_other_verbs(claim: TextReading, reference: TextReading, pairs: list[Pair]) -> bool:
    """Whether one of two names does what the other one does: "A wrote it and B sang it"."""
    (first, one), (second, two) = pairs
    own, other = governor(claim, first), governor(claim, second)
    known, rival = governor(reference, one), governor(reference, two)
    if not own or not known or own == known or other == rival:
        return False
    return own == rival or (bool(other) and other == known)


def other_name(claim: TextReading, reference: TextReading) -> Pair | None:
    """A name of both texts that stands in the claim where the reference has another one.

    "A was founded in Bonn and moved to Graz" says of "A was founded in Graz" that it was Bonn.
    """
    shared = _shared_names(claim, reference)
    if not shared or says_what_it_is(claim):
        return None
    others = [word for word in _openings(reference) if not word.is_empty]
    named = (*_first_words(reference), *others)
    known = {governor(reference, word): word for word in named}
    for name, other in shared:
        own = governor(claim, name)
        rival = known.get(own)
        if not own or rival is None or rival is other or _is_named(claim, reference, rival):
            continue
        there = governor(reference, other)
        if there and there != own:
            return name, rival
    return None


def _is_named(claim: TextReading, reference: TextReading, name: Word) -> bool:
    """Whether a statement has a word of a name: "Delgado" for "Coach Delgado"."""
    units = reference.name_units
    own = units.get(name.key)
    return name.key in claim.keys or any(
        unit == own and key in claim.keys for key, unit in units.items() if own is not None
    )


def governor(reading: TextReading, name: Word) -> str:
    """What a name belongs to: the verb behind it, or the word before "in", "to" or "by" with that.

    "By Ida Norling" belongs to its verb as the subject does; empty where that is open.
    """
    start = reading.name_units.get(name.key, name.start)
    words = reading.words
    place = next(n for n, word in enumerate(words) if word.start >= start)
    before = [w for w in words[:place] if w.sentence == name.sentence]
    small = ""
    while before and before[-1].is_empty and not small:
        last = before.pop()
        if last.text in meaning_words().lists["list_joints"]:
            break
        small = "" if last.text in meaning_words().lists["owners"] else last.text
    if small:
        if small not in meaning_words().lists["governing"]:
            return ""
        plain = next((w for w in reversed(before) if not w.is_empty), None)
        if plain is None or plain.is_capital or plain.is_number:
            return ""
        return (
            plain.key if small in meaning_words().lists["agent_marks"] else f"{small} {plain.key}"
        )
    return _verb(reading, name)


def _verb(reading: TextReading, name: Word) -> str:
    """The key of the first plain word behind a name, before the next name."""
    end = reading.name_end(name)
    for word in reading.words:
        if word.start < end:
            continue
        if (
            word.clause != name.clause
            or word.is_capital
            or word.text in meaning_words().lists["list_joints"]
        ):
            return ""
        if not word.is_empty:
            return word.key
    return ""


def turned_way(claim: TextReading, reference: TextReading) -> ClaimDifference | None:
    """A way from one place or time to another that leads back: "from Oslo to Bergen"."""
    for way in _ways(claim):
        for other in _ways(reference):
            start, goal = way.start - way.goal, way.goal - way.start
            known, end = other.start - other.goal, other.goal - other.start
            if start & end and goal & known and not start & known and not goal & end:
                spans = (*way.span, *other.span)
                message, expected = claim.quote(*way.span), reference.quote(*other.span)
                return ClaimDifference("roles", repr(message), expected, *spans)
    return None


class _Way(NamedTuple):
    start: frozenset[str]
    """The words of where it begins."""
    goal: frozenset[str]
    span: tuple[int, int]


def _ways(reading: TextReading) -> list[_Way]:
    """What stands behind "from" and "to", or behind "starts in" and "ends in"."""
    lists = meaning_words().lists
    if lists["origins"].isdisjoint(reading.spellings):
        return []
    words = reading.words
    ways: list[_Way] = []
    for place, word in enumerate(words):
        if word.text not in lists["origins"] or len(ways) == MOST_WAYS:
            continue
        goals = (n for n in range(place + 2, min(place + REACH, len(words))) if _is_goal(words, n))
        goal = next(goals, None)
        if goal is None or words[goal].sentence != word.sentence:
            continue
        last = goal + 1
        while last < min(goal + REACH, len(words)) and words[last].clause == words[goal].clause:
            last += 1
        ways.append(
            _Way(
                frozenset(
                    w.text
                    for w in words[place + 1 : goal]
                    if w.text not in meaning_words().lists["list_joints"]
                ),
                frozenset(
                    w.text
                    for w in words[goal + 1 : last]
                    if w.text not in meaning_words().lists["list_joints"]
                ),
                (word.start, words[last - 1].end),
            )
        )
    return ways


def _is_goal(words: Sequence[Word], place: int) -> bool:
    return words[place].text in meaning_words().lists["goals"]


def _rotated(
    claim: TextReading, reference: TextReading, shared: list[Pair], moved: list[Pair]
) -> Iterator[ClaimDifference]:
    """Subject and object behind an Arabic verb that changed places, each of several words."""
    if len(moved) < 2 or moved[0][0].text.isascii() or moved != shared[1 : len(moved) + 1]:
        return
    places = {word.start: place for place, word in enumerate(claim.words)}
    own = [places[word.start] for word, _ in shared[: len(moved) + 1]]
    if own != [*range(own[0], own[0] + len(own))]:
        return
    order = [other.start for _, other in moved]
    least = order.index(min(order))
    if order[least:] + order[:least] != sorted(order):
        return
    start, end = moved[0][0].start, moved[-1][0].end
    spans = (start, end, min(order), max(other.end for _, other in moved))
    message, expected = claim.quote(start, end), reference.quote(*spans[2:])
    yield ClaimDifference("roles", repr(message), expected, *spans)


def _has_converse(claim: TextReading, reference: TextReading) -> bool:
    """Whether the claim has a verb that says from the other side what the reference says."""
    links = converses()
    return any(
        not links[key].isdisjoint(reference.asserted)
        for key in links.keys() & claim.asserted.keys()
        if key not in reference.asserted
    )


def _are_in_clauses(reading: TextReading, words: Sequence[Word]) -> bool:
    """Whether the clause of each word has other words that say something: it is no item."""
    clauses = [word.clause for word in reading.content.values()]
    return all(clauses.count(word.clause) > 1 for word in words)


def _is_same_receiver(
    between: Sequence[str], reference: TextReading, moved: Sequence[Word]
) -> bool:
    """Whether "to" makes up for the order of two words: "send the client the list".

    `between` stands between them in the claim, and only one of the texts has "to" there.
    """
    start, end = min(w.end for w in moved), max(w.start for w in moved)
    others = [w.text for w in reference.words if start <= w.start < end]
    articles = meaning_words().lists["articles"]
    is_one = ("to" in between) != ("to" in others)
    return is_one and articles.issuperset({*between, *others} - {"to"})


def _moved(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Two content words of a near copy that stand in the other order, not in a list.

    In other clauses than each other only where all else is the same, and these clauses say more.
    """
    shared = _shared(claim, reference)
    least = NEAR_COPY * max(len(claim.content), len(reference.content))
    if len(shared) < 3 or len(shared) < least or len(shared) > MANY:
        return
    moved = _moved_words(shared)
    if len(moved) != 2:
        yield from _rotated(claim, reference, shared, moved)
        return
    words = [own for own, _ in moved]
    between = [w.text for w in claim.words if words[0].end <= w.start < words[1].start]
    is_copy = len(shared) == len(claim.content) == len(reference.content)
    is_apart = words[0].clause != words[1].clause
    is_listed = is_apart and not (is_copy and _are_in_clauses(claim, words))
    is_listed |= not is_apart and not meaning_words().lists["list_joints"].isdisjoint(between)
    is_listed |= any(w.text.startswith("و") and w.bare != w.text for w in words)
    is_listed |= any(has_same_preposition(claim, own, reference, other) for own, other in moved)
    other = [theirs for _, theirs in moved]
    if is_listed or _is_same_receiver(between, reference, other):
        return
    message = repr(claim.quote(words[0].start, words[1].end))
    yield ClaimDifference(
        "roles",
        message,
        reference.quote(min(o.start for o in other), max(o.end for o in other)),
        words[0].start,
        words[1].end,
        min(o.start for o in other),
        max(o.end for o in other),
    )
