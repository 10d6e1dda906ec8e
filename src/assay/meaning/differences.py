"""What a claim says otherwise than a reference, named and with both places."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from assay.meaning.figures import Figure
from assay.meaning.reading import Scope, TextReading, converses, opposites, related
from assay.meaning.words import Word

DifferenceKind = Literal[
    "answer",
    "number",
    "unit",
    "limit",
    "date",
    "weekday",
    "time",
    "rate",
    "negation",
    "opposite",
    "quantity_words",
    "frequency_words",
    "modality",
    "time_order",
    "name",
    "roles",
]
SAME_SUBJECT = 0.5
"""Share of the shorter text's content words that both must have for words to be compared."""
NEAR_COPY = 0.75
"""Share of all content words that both must have for their order to be compared."""
MANY = 12
"""The order of more shared words is not compared."""
PARTICLES = "وفبلك"
"""Arabic letters that are words of their own, written together with the next one."""
_OTHER_ORDER = frozenset(("by", "قبل"))
_JOINING = frozenset(("and", "or", "و", "او", "with", "between"))


class ClaimDifference(NamedTuple):
    """One thing that the claim says otherwise, in words of both texts."""

    kind: DifferenceKind
    claimed: str
    """What the claim says; empty where it leaves a negation out."""
    expected: str
    """What the reference says instead."""
    start: int
    end: int
    """The place in the claim."""
    other_start: int
    other_end: int
    """The place in the reference."""

    @property
    def message(self) -> str:
        """The difference as the rest of a sentence that begins with "it"."""
        if self.kind == "negation":
            return (
                f"denies {self.expected!r}"
                if self.claimed
                else f"asserts {self.expected!r}, which is denied"
            )
        if self.kind == "roles":
            return f"has {self.claimed} the other way round"
        if self.kind == "answer":
            return f"says {self.claimed} where {self.expected} is expected"
        return f"says {self.claimed!r} where {self.expected!r} is expected"


def differences(
    claim: TextReading, reference: TextReading, given: TextReading | None = None
) -> list[ClaimDifference]:
    """What the claim says otherwise than the reference; `given` is a question that both answer."""
    present = [*figure_differences(claim, reference, given)]
    present += _answers(claim, reference)
    overlap = shared_content(claim, reference)
    if overlap >= SAME_SUBJECT:
        swapped = [*_roles(claim, reference)]
        present += _negations(claim, reference)
        present += _opposites(claim, reference)
        present += _classes(claim, reference)
        present += swapped
    present += _names(claim, reference, given, overlap)
    return present


def shared_content(claim: TextReading, reference: TextReading) -> float:
    """The share of the shorter text's content words that both texts have."""
    least = min(len(claim.content), len(reference.content))
    if not least:
        return 0.0
    known, own = related(), claim.content
    shared = [
        key in own or (key in known and not known[key].isdisjoint(own)) for key in reference.content
    ]
    return min(1.0, sum(shared) / least)


def _difference(
    kind: DifferenceKind,
    claim: TextReading,
    own: tuple[int, int],
    reference: TextReading,
    other: tuple[int, int],
) -> ClaimDifference:
    return ClaimDifference(kind, claim.quote(*own), reference.quote(*other), *own, *other)


def _span(one: Figure | Word) -> tuple[int, int]:
    return one.start, one.end


def figure_differences(
    claim: TextReading, reference: TextReading, given: TextReading | None = None
) -> Iterator[ClaimDifference]:
    """Figures of the reference that the claim replaces by others, or denies."""
    known = given.figures if given else ()
    wanted = [f for f in reference.stated_figures if not any(f.equals(k) for k in known)]
    if not wanted:
        return
    spare = [
        figure
        for figure in claim.stated_figures
        if not any(figure.equals(other) for other in reference.stated_figures)
        and not any(figure.equals(other) for other in known)
        and not (figure.is_word and figure.value == 1 and len(wanted) > 1)
    ]
    for figure in wanted:
        if any(own.equals(figure) for own in claim.stated_figures):
            continue
        denied = next((own for own in claim.denied_figures if own.equals(figure)), None)
        rivals = [
            own for own in spare if own.rivals(figure) and own.is_ordinal == figure.is_ordinal
        ]
        if rivals:
            best = min(rivals, key=lambda own: (own.unit != figure.unit, own.start))
            kind: DifferenceKind = figure.kind
            if figure.kind == "number" and best.value == figure.value:
                kind = "limit" if best.unit == figure.unit else "unit"
            yield _difference(kind, claim, _span(best), reference, _span(figure))
            spare.remove(best)
        elif denied:
            own = reference.quote(*_span(figure))
            yield ClaimDifference("negation", "not", own, *_span(denied), *_span(figure))


def _answers(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Yes where the reference says no, and the other way round."""
    if reference.answer is None or not claim.words:
        return
    message = claim.answer
    if message is None:
        return
    if message != reference.answer:
        first, other = claim.words[0], reference.words[0]
        names = ("no", "yes")
        yield ClaimDifference(
            "answer",
            names[message],
            names[reference.answer],
            first.start,
            first.end,
            other.start,
            other.end,
        )


def _is_resolved(reading: TextReading, scope: Scope, other: TextReading) -> bool:
    """Whether the other text denies one of the same words too, or has an opposite of one."""
    denied = reading.scope_keys(scope)
    for theirs in other.scopes:
        if not denied.keys().isdisjoint(other.scope_keys(theirs)):
            return True
    known = opposites()
    if any(not known.get(key, frozenset()).isdisjoint(other.content) for key in denied):
        return True
    return other.has_denial and not other.scopes


def _negations(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """A denial that only one of the two has, of words that both have."""
    if claim.answer is not None and claim.answer == reference.answer:
        return
    for scope in claim.scopes:
        denied = claim.scope_keys(scope)
        hits = [key for key in denied if key in reference.asserted]
        if hits and not _is_resolved(claim, scope, reference) and not _also_asserted(claim, hits):
            word, other = claim.words[scope.place], reference.asserted[hits[0]]
            own = reference.quote(*_span(other))
            end = denied[hits[0]].end
            yield ClaimDifference("negation", "not", own, word.start, end, *_span(other))
    for scope in reference.scopes:
        denied = reference.scope_keys(scope)
        hits = [key for key in denied if key in claim.asserted]
        if (
            hits
            and not _is_resolved(reference, scope, claim)
            and not _also_asserted(reference, hits)
        ):
            word, place = claim.asserted[hits[0]], reference.words[scope.place]
            own = reference.quote(place.start, denied[hits[0]].end)
            yield ClaimDifference(
                "negation", "", own, *_span(word), place.start, denied[hits[0]].end
            )


def _also_asserted(reading: TextReading, keys: list[str]) -> bool:
    """Whether a text says elsewhere without negation what it denies in one place."""
    return all(key in reading.asserted for key in keys)


def _opposites(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Words of the claim whose opposite stands in the reference instead."""
    known, other_sides = opposites(), converses()
    if known.keys().isdisjoint(claim.asserted):
        return
    both = frozenset([key for scope in claim.scopes for key in claim.scope_keys(scope)])
    for key, word in claim.asserted.items():
        if key in both:
            continue
        if key not in known:
            continue
        for other in sorted(known[key] & reference.asserted.keys()):
            if other in claim.content or key in reference.content:
                continue
            is_converse = other in other_sides.get(key, frozenset())
            if is_converse and _is_resolved_by_roles(claim, reference):
                continue
            yield _difference(
                "opposite", claim, _span(word), reference, _span(reference.asserted[other])
            )
            break


def _classes(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Quantifiers, adverbs of frequency, modal verbs, before and after, of another class."""
    for table, own in claim.classes.items():
        others = reference.classes.get(table)
        if not others or not own.keys().isdisjoint(others):
            continue
        word, other = next(iter(own.values())), next(iter(others.values()))
        if word.key == other.key:
            continue
        kind: DifferenceKind = table  # type: ignore[assignment] # the tables' names are kinds
        yield _difference(kind, claim, _span(word), reference, _span(other))


def _order(claim: TextReading, reference: TextReading) -> bool | None:
    """Whether two names of both texts stand in the same order; None without two such names.

    Arabic has no capitals: there, two content words that changed places count as names.
    """
    shared = [key for key in claim.names if key in reference.names]
    if len(shared) < 2:
        if claim.words and not claim.words[0].text.isascii() and len(claim.content) <= MANY:
            return _arabic_order(claim, reference)
        return None
    places = [reference.names[key].start for key in shared[:2]]
    return places[0] < places[1]


def _is_resolved_by_roles(claim: TextReading, reference: TextReading) -> bool:
    """Whether the order of names, which the check of roles compares, decides on a converse verb."""
    if len(claim.names.keys() & reference.names.keys()) > 1:
        return True
    return _order(claim, reference) is False


def is_told_from_other_side(claim: TextReading, reference: TextReading) -> bool:
    """Whether both texts have two names, which a converse verb may have changed round."""
    if len(claim.names.keys() & reference.names.keys()) > 1:
        return True
    return _has_converse(claim, reference) and _order(claim, reference) is False


def _arabic_order(claim: TextReading, reference: TextReading) -> bool | None:
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


def _roles(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Two names, or two words of a near copy, that changed places."""
    names = [key for key in claim.names if key in reference.names][:2]
    is_same = _order(claim, reference) if len(names) > 1 else None
    is_flipped = _OTHER_ORDER.isdisjoint(claim.texts) != _OTHER_ORDER.isdisjoint(reference.texts)
    if is_same is None:
        if not is_flipped and not _has_converse(claim, reference):
            yield from _moved(claim, reference)
        return
    is_converse = _has_converse(claim, reference)
    rest = (claim.content.keys() & reference.content.keys()) - set(names)
    if not rest and not is_converse:
        return
    first, second = (claim.names[key] for key in names)
    inner = [w for w in claim.words if first.end <= w.start < second.start]
    has_verb = any(not w.is_empty and not w.is_capital for w in inner)
    if not has_verb or not _JOINING.isdisjoint(w.text for w in inner):
        return
    if is_same == (is_converse != is_flipped):
        other = [reference.names[key] for key in names]
        message = claim.quote(first.start, second.end)
        expected = reference.quote(min(o.start for o in other), max(o.end for o in other))
        if message.lower() == expected.lower():  # as in Leonardo da Vinci
            return
        yield ClaimDifference(
            "roles",
            repr(message) if len(message) < 60 else "the names",
            expected,
            first.start,
            second.end,
            min(o.start for o in other),
            max(o.end for o in other),
        )


def _has_converse(claim: TextReading, reference: TextReading) -> bool:
    """Whether the claim has a verb that says from the other side what the reference says."""
    links = converses()
    return any(
        not links[key].isdisjoint(reference.asserted)
        for key in claim.asserted
        if key in links and key not in reference.asserted
    )


def _moved(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Two content words of a near copy that stand in the other order, not in a list."""
    shared = _shared(claim, reference)
    least = NEAR_COPY * max(len(claim.content), len(reference.content))
    if len(shared) < 3 or len(shared) < least or len(shared) > MANY:
        return
    moved = _moved_words(shared)
    if len(moved) != 2:
        return
    words = [own for own, _ in moved]
    between = [w.text for w in claim.words if words[0].end <= w.start < words[1].start]
    is_listed = words[0].clause != words[1].clause or not _JOINING.isdisjoint(between)
    is_listed |= any(w.text.startswith("و") and w.bare != w.text for w in words)
    if is_listed:
        return
    other = [theirs for _, theirs in moved]
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


def _names(
    claim: TextReading, reference: TextReading, given: TextReading | None, overlap: float
) -> Iterator[ClaimDifference]:
    """A name of the reference that the claim lacks, where the claim has another one instead."""
    known = given.content.keys() if given else frozenset()
    lost = {k: w for k, w in reference.names.items() if k not in claim.asserted and k not in known}
    new = {k: w for k, w in claim.names.items() if k not in reference.content and k not in known}
    if not lost or not new:
        return
    is_answer = len(reference.words) <= 4
    if overlap < SAME_SUBJECT and not is_answer:
        return
    one, other = next(iter(new.values())), next(iter(lost.values()))
    if not _is_short_form(one.text, reference) and not _is_short_form(other.text, claim):
        yield _difference("name", claim, _span(one), reference, _span(other))


def _is_short_form(short: str, reading: TextReading) -> bool:
    """Whether a word is made of the first letters of words in a row: UN, U.S., NATO."""
    letters = short.replace(".", "")
    if not 2 <= len(letters) <= 6:
        return False
    firsts = "".join(w.text[0] for w in reading.words if w.is_capital)
    return letters in firsts
