"""What a passage says of everybody else: "Students pay half. Everyone else pays 14 euros."."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.bindings import MOST_WORDS
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.figures import Figure
from assay.meaning.parts import REST, fit_of, parts_of, passage_parts
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import light_keys

OPENING = 3
"""Words among which a sentence says that it is about the rest: "everyone else"."""


def given_to_rest(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """What a passage says of everybody else, and a statement of one that is named before.

    "Students pay half. Everyone else pays 14 euros." is against "Students pay 14 euros".
    """
    rest = meaning_words().lists["rest"]
    if _are_idle(claim, claim.stated_figures) or claim.scopes:
        return None
    if len(claim.words) > MOST_WORDS or not rest.isdisjoint(claim.texts):
        return None
    if all(map(rest.isdisjoint, [sentence.texts for sentence in sentences])):
        return None
    parts = passage_parts(sentences)
    for own in parts_of(claim):
        wanted = own.keys | {key for thing in own.things for key in thing.name}
        fits = [fit_of(wanted, own.figures, part) for part in parts]
        best = max(fits, default=0.0)
        for fit, part in zip(fits, parts, strict=True):
            is_rest = any(thing.kind == REST for thing in part.things)
            if fit < best or not is_rest or best < 1 or _are_idle(claim, own.figures):
                continue
            if _is_unnamed(claim, sentences[part.sentence], sentences):
                continue
            here = part.keys | {key for thing in part.things for key in thing.name}
            missing = wanted - here
            others = [one for one in parts if one is not part]
            if missing and any(fit_of(missing, (), one) for one in others):
                spans = (own.start, own.end, part.start, part.end)
                reading = sentences[part.sentence]
                quoted = claim.quote(*spans[:2]), reading.quote(*spans[2:])
                return ClaimDifference("binding", *quoted, *spans)
    return None


def said_of_everybody(
    claim: TextReading, sentences: Sequence[TextReading]
) -> ClaimDifference | None:
    """What a statement says of everybody or nobody where the passage parts some from the rest.

    "Citizens need no visa. Everyone else has to apply for one." is against "Nobody needs a visa".
    """
    lists = meaning_words().lists
    universal, rest = lists["everyone"], lists["rest"]
    if not rest.isdisjoint(claim.spellings):
        return None
    first = next((word for word in claim.words if not word.is_empty), None)
    if first is None or first.text not in universal:
        return None
    said = claim.content.keys() - light_keys() - universal
    for sentence in sentences:
        opening = [word.text for word in sentence.words[:OPENING]]
        if rest.isdisjoint(opening) or said.isdisjoint(sentence.keys):
            continue
        spans = (0, len(claim.text), 0, len(sentence.text))
        return ClaimDifference("quantity_words", claim.text, sentence.text, *spans)
    return None


def is_of_rest(one: ClaimDifference, claim: TextReading, sentences: Sequence[TextReading]) -> bool:
    """Whether a figure that differs is what a passage says of everybody else.

    "Managers get 30 days. All others get 25." is not against "Technicians get 25 days".
    """
    figure = next((f for f in claim.figures if f.start == one.start), None)
    rest = meaning_words().lists["rest"]
    if figure is None or not rest.isdisjoint(claim.texts):
        return False
    for sentence in sentences:
        if rest.isdisjoint(sentence.texts) or not any(map(figure.equals, sentence.figures)):
            continue
        if _is_unnamed(claim, sentence, sentences):
            return True
    return False


def _is_unnamed(
    claim: TextReading, sentence: TextReading, sentences: Sequence[TextReading]
) -> bool:
    """Whether a statement is about somebody whom the sentences besides one do not name."""
    others = frozenset[str]().union(*[one.keys for one in sentences if one is not sentence])
    subject = _subject(claim, sentence)
    return bool(subject) and not subject <= others


def _subject(claim: TextReading, sentence: TextReading) -> frozenset[str]:
    """The keys of a statement before the first word that a sentence has, too."""
    own = []
    for word in claim.words:
        if word.key in sentence.keys:
            break
        if not word.is_empty:
            own.append(word.key)
    return frozenset(own)


def _are_idle(claim: TextReading, figures: Sequence[Figure]) -> bool:
    """Whether all figures are small numbers in words that may mean little, and no hour."""
    return all(figure.is_word and not _is_hour(claim, figure) for figure in figures)


def _is_hour(claim: TextReading, figure: Figure) -> bool:
    """Whether a number stands behind "at": it opens at nine."""
    before = next((w for w in reversed(claim.words) if w.end <= figure.start), None)
    return before is not None and before.text == "at"
