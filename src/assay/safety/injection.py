"""Attempts to override, extract or redirect, as measures of a text.

Hits of attack patterns count by kind; those inside quotation marks, or in a sentence that talks
about attacks, count as talk. Long texts are read sentence by sentence by an n-gram model, because
one sentence may carry the attack.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, islice
from operator import eq
from typing import Any, NamedTuple

import numpy as np

from assay.linear import NgramModel, hashed_ngrams, measure_model
from assay.linear.ngrams import MAX_LENGTH
from assay.safety.marks import MAX_MARKS, Mark, overlaps, sentence_ends, sentence_of, within
from assay.safety.wording import clipped
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from assay.textproc.unmasking import unmasked

LEXICON = "attack_prompts"
KINDS = (
    *("override", "extraction", "secret request", "user data request", "jailbreak", "role"),
    *("authority", "fake markup", "addressed", "exfiltration", "concealment", "reply order"),
    "encoded",
)
STRONG = frozenset(("override", "extraction", "jailbreak", "exfiltration", "concealment"))
DECISIVE = frozenset(("addressed", "extraction", "exfiltration", "concealment", "secret request"))
"""Kinds that ordinary words around them excuse little."""
BELIEVED = DECISIVE | {"fake markup"}
"""The same, in a question."""
SERIOUS = STRONG | DECISIVE
"""Kinds that speak for themselves in retrieved text and behind a mask."""
MASKED = 0.9
"""The probability of an attack where one of these kinds was masked: nobody masks by chance."""
MENTIONED = frozenset(("override", "role", "fake markup", "authority"))
"""Kinds that a question may mention: "how do I override a rule"."""
DIRECT = frozenset(("addressed", "exfiltration", "concealment"))
"""Kinds that quotation marks do not excuse: the text quoted may carry the attack."""
QUOTING = "quoting"
"""Marks a request to work on the words that it quotes: "Translate '…'"."""
_NO_ATTACK = ("about", "ordinary", QUOTING)
_OPENING_TURN = re.compile(r"\s*(?:human|user|customer|client|caller)\s?:", re.IGNORECASE)
"""What a conversation opens with that is given as a whole."""
_TURN = re.compile(r"\s*(?:assistant|ai|bot|agent)\s?:", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{3,300}\"|(?<!\w)'[^'\n]{3,300}'(?!\w)|`[^`\n]{3,300}`")
REPEATS = 10
"""A word that stands so often in a row floods the model."""
MAX_REPEAT_LENGTH = 4000
"""Characters in which repeated words are looked for."""
SENTENCE_CHARACTERS = ()
"""The model of sentences reads words and pairs of words only: contexts are long."""
LOWEST = -1.5
"""The wording's logit beside a decisive kind of attack, and of sentences in scripts that no model
reads."""
SURE = -0.4
"""The same beside a pattern that leaves no doubt: ordinary words around it excuse very little."""
UNREAD = -0.5
"""The wording's logit in scripts that no model reads: weak signs alone decide nothing there."""
ORDINARY = -1.5
"""The wording's logit at most where no pattern hits and the text speaks of everyday things."""
ORDINARY_LENGTH = 400
"""Characters up to which everyday things say what a text is about."""
LARGEST = 3.0
"""A model's wording never outweighs more than this."""

Array = Any
"""A numpy array."""


class AttackSigns(NamedTuple):
    """What attack patterns say of a text."""

    attacks: list[Mark]
    talk: list[Mark]
    """Hits inside of quotation marks, or in a sentence about attacks."""
    is_ordinary: bool = False
    """Whether the text speaks of everyday things, such as a poem or "my" words."""

    def kinds(self) -> set[str]:
        """The kinds of attack that occur."""
        return {kind_of(mark) for mark in self.attacks}


def kind_of(mark: Mark) -> str:
    """The kind of attack that a pattern stands for, whatever its language."""
    return mark.name.partition(" (")[0].removesuffix(" short")


def is_sure(mark: Mark) -> bool:
    """Whether the pattern names what only an attack does, such as "drop your own limits"."""
    return mark.name.endswith("(sure)")


def signs(text: str, marks: Sequence[Mark]) -> AttackSigns:
    """The hits of the attack patterns in a text, told into attacks and talk about them."""
    ordinary = [mark for mark in marks if mark.name.startswith("ordinary")][:MAX_MARKS]
    named = [mark for mark in marks if not mark.name.startswith(_NO_ATTACK)][:MAX_MARKS]
    if _OPENING_TURN.match(text):
        named = [mark for mark in named if not _TURN.fullmatch(text, mark.start, mark.end)]
    own = [mark for mark in ordinary if mark.name.endswith("(own words)")]
    hits = [mark for mark in named if kind_of(mark) != "override" or not overlaps(mark, own)]
    if not hits:
        return AttackSigns([], [], bool(ordinary) and len(text) <= ORDINARY_LENGTH)
    about = [mark for mark in marks if mark.name.startswith("about")][:MAX_MARKS]
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    direct = [mark for mark in hits if kind_of(mark) in DIRECT]
    harmless = [(s, e) for s, e in quoted if not within(direct, s, e)]
    ends = sentence_ends(text)
    is_quoting = any(mark.name == QUOTING for mark in marks)
    attacks: list[Mark] = []
    talk: list[Mark] = []
    for mark in hits:
        start, _ = sentence_of(ends, mark.start)
        is_quoted = any(s <= mark.start and mark.end <= e for s, e in harmless)
        is_mentioned = kind_of(mark) in MENTIONED and bool(within(about, start, mark.start))
        is_named = is_quoted and (bool(about) or is_quoting)
        (talk if is_mentioned or is_named else attacks).append(mark)
    return AttackSigns(attacks, talk)


def masked_kinds(text: str) -> set[str]:
    """The kinds of attack in other readings of a text: letters apart, leetspeak, base64."""
    kinds: set[str] = set()
    for reading in unmasked(text):
        normal = normalise(reading)
        hits = matcher(frozenset({LEXICON})).find(normal)
        own = signs(normal.text, [Mark(hit.pattern, hit.start, hit.end) for hit in hits])
        kinds |= own.kinds() & SERIOUS
    return kinds


def measures(text: str, result: AttackSigns, logit: float, hottest: float) -> dict[str, float]:
    """What the fitted model reads: kinds of attack, talk, and the logits of the n-gram model."""
    kinds = result.kinds()
    named = {kind.replace(" ", "_"): float(kind in kinds) for kind in KINDS}
    strong = len(kinds & STRONG)
    lowest = LOWEST if kinds & BELIEVED else -LARGEST
    if any(is_sure(mark) for mark in result.attacks):
        lowest = SURE
    wording = max(lowest, clipped(text, logit, LARGEST, unknown=UNREAD))
    return {
        **named,
        "several": float(len(kinds) > 1),
        "talk": float(bool(result.talk) and not strong),
        "repeated": float(_is_flood(text[:MAX_REPEAT_LENGTH])),
        "ngrams": min(wording, ORDINARY) if result.is_ordinary else wording,
        "sentence": max(
            LOWEST if kinds & SERIOUS else -LARGEST,
            clipped(text, hottest, LARGEST, unknown=LOWEST),
        ),
    }


def _is_flood(text: str) -> bool:
    """Whether a word is repeated many times in a row."""
    words = text.split()
    last, run = "", 0
    if not any(map(eq, words, islice(words, 1, None))):
        return False
    for word in words:
        run = run + 1 if word == last else 1
        if run >= REPEATS:
            return True
        last = word
    return False


def sentence_logits(model: NgramModel, text: str) -> tuple[Array, list[int]]:
    """The model's logit of each sentence, and where the sentences end.

    An n-gram belongs to the sentence in which it starts; it counts as often as it occurs there.
    """
    return next(sentence_logits_of(model, [text]))


def sentence_logits_of(
    model: NgramModel, texts: Sequence[str]
) -> Iterator[tuple[Array, list[int]]]:
    """The `sentence_logits` of each of some texts, hashed together: most of the cost is per call.

    Only texts that are read whole are put together.
    """
    for group in _together(texts):
        ends = [sentence_ends(text) for text in group]
        logits = _logits(model, group, ends)
        first = 0
        for own in ends:
            yield logits[first : first + len(own)], own
            first += len(own)


def _together(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, in groups that are read whole: no longer than `MAX_LENGTH`."""
    group: list[str] = []
    size = 0
    for text in texts:
        if group and size + len(text) > MAX_LENGTH:
            yield group
            group, size = [], 0
        group.append(text)
        size += len(text) + 1
    if group:
        yield group


def _logits(model: NgramModel, texts: Sequence[str], ends: Sequence[Sequence[int]]) -> Array:
    """The logits of all sentences of texts that stand one behind the other."""
    begins = [*accumulate([len(text) + 1 for text in texts], initial=0)][:-1]
    last = np.array([start + end for start, own in zip(begins, ends, strict=True) for end in own])
    ngrams = hashed_ngrams("\n".join(texts), SENTENCE_CHARACTERS)
    if not len(ngrams.buckets):
        return np.full(len(last), model.bias)
    own: Array = np.searchsorted(begins, ngrams.starts, side="right")
    is_inside = own == np.searchsorted(begins, ngrams.ends - 1, side="right")
    whole = np.cumsum([len(part) for part in ends])
    starts, own = ngrams.starts[is_inside], own[is_inside] - 1
    place = np.minimum(np.searchsorted(last, starts, side="right"), whole[own] - 1)
    weights = model.weights[ngrams.buckets[is_inside]].astype(float)
    sums = np.bincount(place, weights, len(last))
    counts = np.bincount(place, minlength=len(last))
    return model.bias + model.scale * sums / np.sqrt(np.maximum(counts, 1))


def probability(row: Mapping[str, float]) -> float:
    """The probability of the fitted model `injection_query`."""
    return measure_model("injection_query").probability(row)
