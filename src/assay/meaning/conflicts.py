"""What a passage says against a statement that was made from it.

`differences` compares two texts that answer the same question. A passage says more than the
statement, so here its differences count only where they cannot be explained by what else the
passage says: a number that the passage has elsewhere, a denial on both sides, a list in another
order. Cause and effect, conditions and quantifiers are compared, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from assay.data.meaning import meaning_words
from assay.meaning.acts import converse_roles, joins_names, other_agent
from assay.meaning.attachment import (
    exchanged,
    is_comparable,
    is_converse,
    is_inverted,
    is_scrambled,
    moved_figure,
    moved_run,
    other_attribute,
)
from assay.meaning.claim_difference import ClaimDifference
from assay.meaning.clause_order import swapped_parts
from assay.meaning.differences import (
    differences,
    equal_figures,
    figure_differences,
    is_short_form,
)
from assay.meaning.exceptions import ExceptionUse, exception_use
from assay.meaning.figures import Figure, measure_of
from assay.meaning.limits import is_case_of, is_case_within
from assay.meaning.overlap import (
    MIN_PART,
    NEAR,
    NEAR_COPY,
    SHORT_SENTENCE,
    held_keys,
    overlap,
    telling_keys,
)
from assay.meaning.reading import TextReading
from assay.meaning.roles import has_same_verb, other_name, turned_way
from assay.meaning.widening import widening_word
from assay.meaning.word_coverage import alike, synonyms
from assay.meaning.word_relations import opposites, related, same_sides

FIGURES = frozenset(("number", "unit", "limit", "date", "weekday", "time", "rate"))
CLASSES = frozenset(("quantity_words", "frequency_words", "modality", "certainty"))
SMALL_WORD = 12
"""Up to so much a number word may be an idiom or an article: one, two or three."""
MIN_SPLIT = 5
"""Words that a sentence must have to be parted."""
REMEMBERED = 128
"""So many comparisons are kept: a statement is compared with all contexts, then with each alone."""
MOST_RESTATED = 2
"""So many words of what is said of an exception the sentence may lack."""
_NONE: frozenset[str] = frozenset()
_ARABIC = re.compile("[\u0600-\u06ff]")


def conflicts(
    claim: TextReading,
    sentence: TextReading,
    window: Sequence[TextReading],
    given: TextReading | None = None,
) -> list[ClaimDifference]:
    """What a sentence of a passage says against a statement, the surest first."""
    return list(_compared(claim, sentence, tuple(window), given))


@lru_cache(maxsize=REMEMBERED)
def _compared(
    claim: TextReading,
    sentence: TextReading,
    window: tuple[TextReading, ...],
    given: TextReading | None,
) -> list[ClaimDifference]:
    near = overlap(claim, sentence)
    if near < NEAR:
        return []
    whole = sentence
    sentence = _clause(claim, sentence, near)
    placed = []
    for one in differences(claim, sentence, given):
        if one.kind in FIGURES:
            is_kept = _is_other_figure(one, claim, sentence, near, whole)
        elif one.kind == "negation":
            is_short = len(sentence.words) <= SHORT_SENTENCE
            is_kept = is_short or near >= NEAR_COPY
            is_kept = is_kept and claim.denies != sentence.denies
        elif one.kind == "opposite":
            is_kept = not claim.scopes and (
                _is_denial(one.expected, sentence) or _is_denial(one.claimed, claim)
            )
            is_kept = is_kept or claim.denies == sentence.denies
            is_kept = is_kept and not _is_said_elsewhere(one, claim, whole, window)
        elif one.kind in CLASSES:
            is_less = one.kind == "quantity_words" and "some" in claim.classes.get(one.kind, ())
            is_less |= one.kind == "modality" and (
                _is_restricted(claim, sentence) or _is_on_condition(claim, sentence)
            )
            is_kept = not is_less and (near >= NEAR_COPY or one.kind in ("modality", "certainty"))
        elif one.kind == "roles":
            is_copy = min(near, overlap(sentence, claim)) >= NEAR_COPY
            is_kept = is_copy and _has_two_names(one, claim)
            is_kept = is_kept or has_same_verb(claim, sentence) or bool(turned_way(claim, sentence))
            is_kept = is_kept or not claim.text.isascii()
        elif one.kind == "name":
            is_kept = near >= NEAR_COPY and not is_short_form(one.claimed.lower(), whole)
        elif one.kind == "time_order":
            is_kept = _is_before_same(one, claim, sentence)
        else:
            is_kept = False
        if is_kept:
            placed.append(one)
    if not any(one.kind == "negation" for one in placed) and _is_denied_otherwise(claim, sentence):
        spans = (0, len(claim.text), 0, len(sentence.text))
        denial = "not" if claim.denies else ""
        placed.append(ClaimDifference("negation", denial, sentence.text, *spans))
    if sentence is not whole:
        placed = [one._replace(other_start=0, other_end=len(whole.text)) for one in placed]
    is_short = is_comparable(claim, whole)
    if not placed and is_short and (names := other_name(claim, whole)):
        name, rival = ((word.start, word.end) for word in names)
        message, expected = repr(claim.quote(*name)), whole.quote(*rival)
        placed.append(ClaimDifference("roles", message, expected, *name, *rival))
    if _is_only_unless(claim, whole) or _is_provided_not(claim, whole):
        placed = [one for one in placed if one.kind not in ("negation", "opposite")]
    if denies_rest(claim, whole):
        placed = [one for one in placed if one.kind != "negation"]
    use = exception_use(claim, whole)
    if use is ExceptionUse.KEPT:
        placed = [one for one in placed if one.kind not in ("negation", "opposite")]
    elif use is ExceptionUse.IGNORED and not any(one.kind == "negation" for one in placed):
        spans = (0, len(claim.text), 0, len(whole.text))
        placed.append(ClaimDifference("negation", "", whole.text, *spans))
    placed += swapped_parts(claim, whole, window)
    is_right = converse_roles(claim, whole)
    if is_right:
        placed = [one for one in placed if one.kind not in ("roles", "opposite")]
    elif is_right is False and not placed:
        spans = (0, len(claim.text), 0, len(whole.text))
        placed.append(ClaimDifference("roles", repr(claim.text[:60]), whole.text, *spans))
    if not placed and (acting := other_agent(claim, whole, window)):
        placed.append(acting)
    if not placed and near >= NEAR_COPY and (word := widening_word(claim, window)):
        spans = (word.start, word.end, 0, len(whole.text))
        placed.append(ClaimDifference("quantity_words", word.text, whole.text, *spans))
    placed = _without_hours(placed, claim, whole)
    if _is_denied_by_ellipsis(claim, whole):
        placed = [one for one in placed if one.kind != "opposite"]
    if near >= NEAR and is_comparable(claim, whole):
        placed = _placed(placed, claim, whole, near)
    return placed


def _placed(
    result: list[ClaimDifference], claim: TextReading, sentence: TextReading, near: float
) -> list[ClaimDifference]:
    """The differences after a look at the places of words.

    Two sides that are exchanged around an opposite say the same: "lower than", "higher than".
    """
    if is_inverted(claim, sentence) or is_converse(claim, sentence):
        result = [one for one in result if one.kind != "opposite"]
    place = exchanged(claim, sentence)
    if not place and not result and near >= NEAR_COPY and not _are_together(claim, sentence):
        place = moved_figure(claim, sentence)
    if not place and not result and is_scrambled(claim, sentence):
        place = (0, len(claim.text))
    if not place and not result and near >= NEAR_COPY:
        place = moved_run(claim, sentence)
    if not place and not result and (pair := other_attribute(claim, sentence)):
        own, other = ((word.start, word.end) for word in pair)
        quoted = claim.quote(*own), sentence.quote(*other)
        return [ClaimDifference("name", *quoted, *own, *other)]
    if not place or (result and result[0].kind == "roles"):
        return result
    message = repr(claim.quote(*place)[:60])
    return [
        *result,
        ClaimDifference("roles", message, sentence.text, *place, 0, len(sentence.text)),
    ]


def figure_conflicts(claim: TextReading, sentence: TextReading) -> list[ClaimDifference]:
    """Those of `conflicts` that are about figures."""
    if not claim.stated_figures or not sentence.stated_figures:
        return []
    near = overlap(claim, sentence)
    if near < NEAR:
        return []
    clause = _clause(claim, sentence, near)
    return [
        one
        for one in figure_differences(claim, clause)
        if one.kind in FIGURES and _is_other_figure(one, claim, clause, near, sentence)
    ]


def _clause(claim: TextReading, sentence: TextReading, near: float) -> TextReading:
    """The one clause of a sentence that has as many words of a statement as the whole of it."""
    if len(sentence.words) < MIN_SPLIT or not claim.content or len(sentence.clauses) < 2:
        return sentence
    own = telling_keys(claim)
    least = max(near * len(own) - 1e-9, min(MIN_PART, len(own)))
    for start, end, keys in sentence.clauses:
        if held_keys(own, keys) >= least:
            return sentence.stretch(start, end)
    return sentence


def _is_before_same(one: ClaimDifference, claim: TextReading, sentence: TextReading) -> bool:
    """Whether "before" and "after" stand before the same word: before breakfast."""
    own = next((w for w in claim.words if w.start >= one.end and not w.is_empty), None)
    other = next((w for w in sentence.words if w.start >= one.other_end and not w.is_empty), None)
    return own is not None and other is not None and own.key == other.key


def _is_restricted(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a sentence says "may only when", and the statement that it must be so."""
    is_only = not meaning_words().lists["only"].isdisjoint(sentence.spellings)
    return is_only and "must" in claim.classes.get("modality", ())


def _is_on_condition(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a statement says "may" of what a sentence says that must be, and keeps it.

    "You can enter if staff is with you" keeps "visitors must be accompanied by staff", and "a
    30-year-old may donate" that donors must be between 18 and 65.
    """
    if "may" not in claim.classes.get("modality", ()):
        return False
    if any(is_case_within(figure, claim, sentence) for figure in claim.figures):
        return True
    conditions = meaning_words().lists["conditions"] - meaning_words().lists["unless"]
    first = next((n for n, word in enumerate(claim.words) if word.text in conditions), None)
    if first is None or "must" not in sentence.classes.get("modality", ()):
        return False
    own = [word.key for word in claim.words[first + 1 :] if not word.is_empty]
    return any(key in sentence.keys for key in own)


def denies_rest(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a statement denies twice what a sentence says of some only.

    "If you are not a member, you can't borrow any" is what "only members may borrow" says.
    """
    is_only = not meaning_words().lists["only"].isdisjoint(sentence.spellings)
    return len(claim.scopes) > 1 and is_only


def _is_denial(word: str, sentence: TextReading) -> bool:
    """Whether a word such as "forbidden" is all that a text denies with."""
    denials = meaning_words().lists["denials"]
    return word.lower() in denials and not sentence.scopes


def _is_denied_otherwise(claim: TextReading, sentence: TextReading) -> bool:
    """Whether just one of two short Arabic texts denies something."""
    if claim.text.isascii() or not _ARABIC.search(claim.text):
        return False
    is_short = max(len(claim.words), len(sentence.words)) <= SHORT_SENTENCE
    if not is_short or claim.denies == sentence.denies:
        return False
    one, other = (claim, sentence) if claim.denies else (sentence, claim)
    if _is_exempt(one) and not meaning_words().lists["free"].isdisjoint(other.spellings):
        return False
    denied = [key for scope in one.scopes for key in one.scope_keys(scope)]
    known = opposites()
    if any(not known.get(key, _NONE).isdisjoint(other.keys) for key in denied):
        return False
    held = sum(key in other.content or alike(key, other.keys) for key in denied)
    return 2 * held >= len(denied)


def _is_exempt(reading: TextReading) -> bool:
    return not meaning_words().lists["exempt"].isdisjoint(reading.spellings)


def restated(claim: TextReading, sentence: TextReading) -> frozenset[str]:
    """The words of a statement that a sentence has from the other side, with the same meaning.

    "Longer" where the sides of "shorter than" are exchanged, "closed" for the exception of what is
    open, "easy" for what is not difficult.
    """
    known, none = related(), frozenset[str]()
    if not is_comparable(claim, sentence):
        return none
    if exception_use(claim, sentence) is ExceptionUse.KEPT:
        missing = claim.content.keys() - sentence.keys
        return frozenset(missing) if len(missing) <= MOST_RESTATED else none
    missing_keys = known.keys() & (claim.keys - sentence.keys)
    facing = {key for key in missing_keys if not known[key].isdisjoint(sentence.keys)}
    if not facing:
        return none
    if is_inverted(claim, sentence) or is_converse(claim, sentence):
        return frozenset(facing)
    against = {key for scope in sentence.scopes for key in sentence.scope_keys(scope)}
    denied = {key for scope in claim.scopes for key in claim.scope_keys(scope)}
    return frozenset(
        key for key in facing if (key in denied) != (not known[key].isdisjoint(against))
    )


def _is_only_unless(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a statement says "only if" where a sentence says "not … unless"."""
    lists = meaning_words().lists
    is_unless = not lists["unless"].isdisjoint(sentence.spellings) and sentence.denies
    is_only = not lists["only"].isdisjoint(claim.spellings)
    return is_unless and is_only and not lists["conditions"].isdisjoint(claim.spellings)


def _is_provided_not(claim: TextReading, sentence: TextReading) -> bool:
    """Whether a statement says "if … not" where a sentence says "unless"."""
    lists = meaning_words().lists
    if lists["unless"].isdisjoint(sentence.spellings) or claim.denies == sentence.denies:
        return False
    conditions = lists["conditions"] - lists["unless"]
    first = next((n for n, word in enumerate(claim.words) if word.text in conditions), None)
    if first is None:
        return False
    clause = claim.words[first].clause
    return all(s.place > first and claim.words[s.place].clause == clause for s in claim.scopes)


def _is_denied_by_ellipsis(claim: TextReading, sentence: TextReading) -> bool:
    """Whether "…, but flash is not" denies what a statement calls forbidden."""
    if not claim.has_denial:
        return False
    denied = [sentence.scope_keys(one).keys() for one in sentence.scopes if one.last <= one.place]
    return any(keys and keys <= claim.keys for keys in denied)


def _without_hours(
    placed: list[ClaimDifference], claim: TextReading, sentence: TextReading
) -> list[ClaimDifference]:
    """The differences without "closes at 3" beside "is open until 3"."""
    own, other = _closing_time(claim), _closing_time(sentence)
    if own is None or other is None or not own.equals(other):
        return placed
    return [one for one in placed if one.kind != "opposite"]


def _closing_time(reading: TextReading) -> Figure | None:
    """When a text says that something closes: "closes at 3", "is open until 3", "9 to 3"."""
    lists = meaning_words().lists
    times = [f for f in reading.figures if f.kind == "time"]
    if not times:
        return None
    if len(times) == 1 and not lists["closing"].isdisjoint(reading.spellings):
        return times[0]
    is_end = len(times) == 2 or not lists["until"].isdisjoint(reading.texts)
    is_open = is_end and not lists["opening"].isdisjoint(reading.spellings)
    return times[-1] if is_open else None


def clauses(claim: TextReading) -> list[TextReading]:
    """The clauses of a statement that say something by themselves; itself where it has one."""
    if len(claim.clauses) < 2:
        return [claim]
    words = claim.words
    joined = {words[place].start for place in range(len(words)) if joins_names(words, place)}
    starts = [0, *(part.start for part in claim.clauses[1:] if part.start not in joined)]
    result = [claim.stretch(start, end) for start, end in pairwise((*starts, len(claim.text)))]
    return [part for part in result if part.content]


def _is_other_figure(
    one: ClaimDifference,
    claim: TextReading,
    sentence: TextReading,
    near: float,
    whole: TextReading,
) -> bool:
    """Whether two figures are of the same kind, so that one excludes the other.

    `whole` is what `sentence` is a clause of: days are no rival of years where it has these days.
    """
    message = next((f for f in claim.figures if f.start == one.start), None)
    other = next((f for f in sentence.figures if f.start == one.other_start), None)
    if message is None or other is None:
        return False
    if is_case_of(message, claim, other) or _are_together(claim, whole):
        return False
    if message.holds_for(other):
        return False
    if message.kind != "number":
        return True
    if message.unit.dimension != other.unit.dimension and any(map(message.equals, whole.figures)):
        return False
    if whole.has_limit(message):
        return False
    if message.unit.dimension or other.unit.dimension:
        return measure_of(message.unit.dimension) == measure_of(other.unit.dimension)
    if (counted := claim.counted.get(message.start)) and counted == sentence.counted.get(
        other.start
    ):
        return message not in equal_figures(claim, whole)
    return near >= NEAR_COPY and (not message.is_word or message.value > SMALL_WORD)


def _is_said_elsewhere(
    one: ClaimDifference, claim: TextReading, sentence: TextReading, window: Sequence[TextReading]
) -> bool:
    """Whether another sentence around has the opposite word, of what its own clause is about."""
    word = next((w for w in claim.words if w.start == one.start), None)
    if word is None:
        return False
    like = synonyms().get(word.key, _NONE) | same_sides().get(word.key, _NONE) | {word.key}
    about = {w.key for w in claim.content.values() if w.clause == word.clause} - like
    about -= sentence.keys
    return any(
        not like.isdisjoint(other.keys) and not about.isdisjoint(other.keys)
        for other in window
        if other is not sentence
    )


def _are_together(claim: TextReading, sentence: TextReading) -> bool:
    """Whether one clause of a sentence has all figures of a statement, which has several."""
    own = claim.stated_figures
    if len(own) < 2:
        return False
    for start, end, _ in sentence.clauses:
        others = [figure for figure in sentence.stated_figures if start <= figure.start < end]
        if all(any(map(figure.equals, others)) for figure in own):
            return True
    return False


def _has_two_names(one: ClaimDifference, claim: TextReading) -> bool:
    inside = [w for w in claim.words if one.start <= w.start < one.end and not w.is_empty]
    return sum(word.is_capital for word in inside) >= 2
