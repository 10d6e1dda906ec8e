"""Words of a statement whose opposite a passage has with all the other words."""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.meaning import meaning_words
from assay.meaning.bindings import HELD, MOST_WORDS
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.parts import REST, Part, fit_of, parts_of, passage_parts, things_of
from assay.meaning.reading import TextReading
from assay.meaning.word_coverage import synonyms
from assay.meaning.word_relations import converses, opposites, refuting

_NONE: frozenset[str] = frozenset()


def refuted(claim: TextReading, sentences: Sequence[TextReading]) -> ClaimDifference | None:
    """A word of the statement whose opposite the passage has with all the other words."""
    if len(claim.words) > MOST_WORDS:
        return None
    known, others, sides = opposites(), refuting(), converses()
    near = [one.keys for one in sentences]
    hits = [table[key] for table in (known, others) for key in table.keys() & claim.content.keys()]
    if not any(not all(map(hit.isdisjoint, near)) for hit in hits):
        return None
    if _is_excepting(claim) or any(map(_is_excepting, sentences)):
        return None
    parts: Sequence[Part] = ()
    for own in parts_of(claim):
        if own.is_denied:
            continue
        names = {key for thing in own.things for key in thing.name}
        for key in own.keys:
            against = known.get(key, _NONE) | others.get(key, _NONE)
            if all(map(against.isdisjoint, near)):
                continue
            wanted = (own.keys | names) - {key}
            if not wanted or not against.isdisjoint(wanted) or key in sides:
                continue
            if not any(_may_refute(own, key, against, one) for one in sentences):
                continue
            parts = parts or passage_parts(sentences)
            rival = _refuting(own, key, against, wanted, parts)
            if rival is not None:
                word = claim.content[key]
                reading = sentences[rival.sentence]
                spans = (word.start, word.end, rival.start, rival.end)
                quoted = claim.quote(*spans[:2]), reading.quote(*spans[2:])
                return ClaimDifference("opposite", *quoted, *spans)
    return None


def _is_excepting(reading: TextReading) -> bool:
    return not meaning_words().lists["exceptions"].isdisjoint(reading.spellings)


def _may_refute(own: Part, key: str, against: frozenset[str], sentence: TextReading) -> bool:
    """Whether a sentence as a whole has an opposite of a word and enough of the others."""
    if against.isdisjoint(sentence.keys):
        return False
    known, keys = synonyms(), sentence.keys | sentence.texts | {REST}
    held = [one in keys or not known.get(one, _NONE).isdisjoint(keys) for one in own.keys - {key}]
    named = sum(len(thing.name) for thing in own.things)
    return sum(held) + named + len(own.figures) >= HELD * len(held)


def _refuting(
    own: Part, key: str, against: frozenset[str], wanted: frozenset[str], parts: Sequence[Part]
) -> Part | None:
    """The part that has all other words of a statement and an opposite of one."""
    near = synonyms().get(key, _NONE) | {key}
    figures = [f for f in own.figures if f.kind != "number" or f.is_ordinal]
    amounts = [f for f in own.figures if not f.is_word]
    found = None
    everywhere = frozenset().union(*[part.keys for part in parts])
    everywhere |= {key for thing in things_of(parts) for key in thing.name}
    for part in parts:
        fit = fit_of(wanted, figures, part)
        if not near.isdisjoint(part.keys):
            if fit >= len(wanted) or (fit and found is None and fit > 0.5 * len(wanted)):
                return None
            if amounts and all(any(map(one.equals, part.figures)) for one in amounts):
                return None
            continue
        is_whole = fit >= max(1.0, HELD * (len(wanted) + len(figures))) and wanted <= everywhere
        if is_whole and not part.is_denied and not against.isdisjoint(part.keys):
            found = found or part
    return found
