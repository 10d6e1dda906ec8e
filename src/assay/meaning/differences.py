"""What a claim says otherwise than a reference, named and with both places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from assay.data.meaning import meaning_words
from assay.meaning.attachment import other_degree
from assay.meaning.claim_difference import ClaimDifference, DifferenceKind
from assay.meaning.figures import Figure
from assay.meaning.negations import Scope
from assay.meaning.reading import TextReading
from assay.meaning.roles import is_resolved_by_roles, role_differences
from assay.meaning.word_relations import converses, opposites, related, same_sides
from assay.meaning.words import Word

ALIKE = 3
"""Letters with which two forms of one name begin."""
SAME_SUBJECT = 0.5
"""Share of the shorter text's content words that both must have for words to be compared."""


def differences(
    claim: TextReading, reference: TextReading, given: TextReading | None = None
) -> list[ClaimDifference]:
    """What the claim says otherwise than the reference; `given` is a question that both answer."""
    present = [*figure_differences(claim, reference, given)]
    present += _answers(claim, reference)
    overlap = shared_content(claim, reference)
    if overlap >= SAME_SUBJECT:
        swapped = [*role_differences(claim, reference)]
        present += _negations(claim, reference)
        present += _opposites(claim, reference)
        present += _degrees(claim, reference)
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
    if not claim.figures:
        return
    known = given.figures if given else ()
    wanted = [f for f in reference.stated_figures if not any(f.equals(k) for k in known)]
    if not wanted:
        return
    same = equal_figures(claim, reference)
    spare = [
        figure
        for figure in claim.stated_figures
        if figure not in same
        and not any(figure.equals(other) for other in known)
        and not (figure.is_word and figure.value == 1 and len(wanted) > 1)
    ]
    # "at most 30" beside "at least 30" before any other amount takes the latter for its rival
    amounts = {(figure.value, figure.unit) for figure in spare}
    for figure in sorted(wanted, key=lambda figure: (figure.value, figure.unit) not in amounts):
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
        elif denied and meaning_words().lists["exceptions"].isdisjoint(reference.spellings):
            own = reference.quote(*_span(figure))
            yield ClaimDifference("negation", "not", own, *_span(denied), *_span(figure))


def equal_figures(claim: TextReading, reference: TextReading) -> list[Figure]:
    """The figures of a claim that the reference has, too.

    Where both count the same things, other figures do not matter: "three books" is not said by
    "five books for three weeks".
    """
    result = []
    for figure in claim.stated_figures:
        counted = claim.counted.get(figure.start)
        alike = [f for f in reference.stated_figures if reference.counted.get(f.start) == counted]
        others = alike if counted and alike else reference.stated_figures
        if any(map(figure.equals, others)):
            result.append(figure)
    return result


def _answers(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Yes where the reference says no, and the other way round."""
    message = claim.answer
    if message is None or reference.answer is None:
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
    is_replaced = not meaning_words().lists["replacing"].isdisjoint(other.spellings)
    return (other.has_denial or is_replaced) and not other.scopes


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
    known, other_sides, near = opposites(), converses(), same_sides()
    if known.keys().isdisjoint(claim.asserted):
        return
    both = frozenset([key for scope in claim.scopes for key in claim.scope_keys(scope)])
    asserted = reference.asserted_keys
    for key, word in claim.asserted.items():
        if key not in known or key in both or known[key].isdisjoint(asserted):
            continue
        for other in sorted(known[key] & asserted):
            if other in claim.content or key in reference.content:
                continue
            if not near.get(key, frozenset()).isdisjoint(reference.asserted):
                continue
            is_converse = other in other_sides.get(key, frozenset())
            if is_converse and is_resolved_by_roles(claim, reference):
                continue
            yield _difference(
                "opposite", claim, _span(word), reference, _span(reference.asserted[other])
            )
            break


def _degrees(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Less of something in the claim, of which the reference says more."""
    if pair := other_degree(claim, reference):
        yield _difference("opposite", claim, _span(pair[0]), reference, _span(pair[1]))


def _classes(claim: TextReading, reference: TextReading) -> Iterator[ClaimDifference]:
    """Quantifiers, adverbs of frequency, modal verbs, before and after, of another class."""
    for table, own in claim.classes.items():
        others = reference.classes.get(table)
        if not others or not own.keys().isdisjoint(others):
            continue
        word, other = next(iter(own.values())), next(iter(others.values()))
        if word.key == other.key:
            continue
        if table == "modality" and _is_other_act(claim, word, reference, other):
            continue
        if table == "place_order":
            yield _difference("opposite", claim, _span(word), reference, _span(other))
            continue
        kind: DifferenceKind = table  # type: ignore[assignment] # the tables' names are kinds
        yield _difference(kind, claim, _span(word), reference, _span(other))


def _is_other_act(claim: TextReading, modal: Word, reference: TextReading, other: Word) -> bool:
    """Whether two modal verbs are about different acts of both texts.

    "You must be available, even when you work from home" does not say that one must work there.
    """
    own, its = _act_behind(claim, modal), _act_behind(reference, other)
    if own is None or its is None or own.key in reference.keys or not claim.text.isascii():
        return False
    same = claim.content.get(its.key)
    return same is not None and same.clause != own.clause


def _act_behind(reading: TextReading, modal: Word) -> Word | None:
    """The first word behind a modal verb that says something, in its clause."""
    behind = (word for word in reading.words if word.start > modal.start and not word.is_empty)
    act = next(behind, None)
    return act if act is not None and act.clause == modal.clause else None


def _names(
    claim: TextReading, reference: TextReading, given: TextReading | None, overlap: float
) -> Iterator[ClaimDifference]:
    """A name of the reference that the claim lacks, where the claim has another one instead."""
    if not claim.names:
        return
    known = given.content.keys() if given else frozenset()
    lost = {k: w for k, w in reference.names.items() if k not in claim.asserted and k not in known}
    new = {k: w for k, w in claim.names.items() if k not in reference.content and k not in known}
    new = {k: w for k, w in new.items() if not _is_same_name(k, claim, reference)}
    if not lost or not new or _is_meant_by_pronoun(new, claim, reference):
        return
    is_answer = len(reference.words) <= 4
    if overlap < SAME_SUBJECT and not is_answer:
        return
    one, other = next(iter(new.values())), next(iter(lost.values()))
    if not is_short_form(one.text, reference) and not is_short_form(other.text, claim):
        yield _difference("name", claim, _span(one), reference, _span(other))


def _is_same_name(key: str, claim: TextReading, reference: TextReading) -> bool:
    """Whether a word of a name is a longer or another form of one in the reference.

    "Stephen" of "Stephen Hillenburg" where that is "Hillenburg", "Tim" for "Timothy", "Irish" for
    "Ireland".
    """
    if any(key[:ALIKE] == other[:ALIKE] for other in reference.names):
        return True
    units, others = claim.name_units, reference.name_units
    counts = Counter(others.values())
    return any(
        unit == units.get(key) and counts.get(others.get(one, -1)) == 1
        for one, unit in units.items()
        if one != key
    )


def _is_meant_by_pronoun(
    new: Mapping[str, Word], claim: TextReading, reference: TextReading
) -> bool:
    """Whether all new names are those with which a statement opens, and "she" stands for them."""
    if meaning_words().lists["named_before"].isdisjoint(reference.texts):
        return False
    units = claim.name_units
    opening = units.get(claim.words[0].key)
    return opening is not None and all(units.get(key) == opening for key in new)


def is_short_form(short: str, reading: TextReading) -> bool:
    """Whether a word is made of the first letters of words in a row: UN, U.S., NATO."""
    letters = short.replace(".", "")
    if not 2 <= len(letters) <= 6 or not reading.has_inner_capitals:
        return False
    firsts = "".join(w.text[0] for w in reading.words if w.is_capital)
    return letters in firsts
