"""Insults, hostility and threats with a target, as measures of a text.

A hit counts unless the text quotes, reports or denies it: "he called them vermin" is a report.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from assay.linear import measure_model
from assay.safety.marks import MAX_MARKS, Mark, overlaps, sentence_ends, sentence_of, within
from assay.textproc.normal import normalise
from assay.textproc.patterns import matcher
from assay.textproc.unmasking import unmasked

LEXICON = "hostility"
TARGETED = (
    *("direct insult", "vocative", "third insult", "group insult", "group hostility", "threat"),
    "wish of harm",
)
"""Kinds of attack on a person or a group."""
KINDS = (*TARGETED, "slur", "profanity")
WEIGHED_AS = {"wish of harm": "threat"}
"""Kinds that weigh as another does."""
MASKED = 0.9
"""The probability where an attack on somebody was masked: nobody masks by chance."""
LARGEST = 4.0
"""The wording's logit is cut at this size."""
LOWEST = -1.0
"""The wording's logit beside an attack on somebody: mild words around it excuse little."""
ALONE = 0.6
"""What the wording's logit counts where no pattern hits: it also learned names of groups."""
BEFORE = 70
"""Characters before a hit in which a word of reporting excuses it."""
_DOG = re.compile(r"\b(?:dogs?|bitch(?:es)?)\b")
_CALLED = re.compile(r"^you\b|\b(?:is|are|was|were)\b|'(?:s|re)\b")
"""What calls somebody a name."""
_QUOTED = re.compile(r"\"[^\"\n]{2,300}\"|(?<!\w)'[^'\n]{2,300}'(?!\w)")


class HostilitySigns(NamedTuple):
    """What the patterns say of a text."""

    attacks: list[Mark]
    excused: list[Mark]
    """Hits that are quoted, reported, denied or said of oneself."""
    denounced: bool
    praised: bool
    is_own: bool
    """Whether somebody calls himself a name."""
    harmless: bool = False
    """Whether all that sounds hostile is said of things, of a female dog or in a game."""

    @property
    def is_excused(self) -> bool:
        """Whether what sounds like attacks on somebody is excused as a whole.

        A model that reads words does not see who says them, so it has no say there.
        """
        is_said = any(kind_of(mark) in TARGETED for mark in self.excused)
        return not self.attacks and (self.harmless or is_said)

    def kinds(self) -> set[str]:
        """The kinds of attack that occur."""
        return {kind_of(mark) for mark in self.attacks}


def kind_of(mark: Mark) -> str:
    """The kind that a pattern stands for, whatever its language."""
    return mark.name.partition(" (")[0]


def signs(text: str, marks: Sequence[Mark]) -> HostilitySigns:
    """The hits of the patterns in a text, told into attacks and excused ones."""
    by_kind: dict[str, list[Mark]] = {}
    for mark in marks:
        by_kind.setdefault(kind_of(mark), []).append(mark)
    denounced = by_kind.get("denounced", [])[:MAX_MARKS]
    animals = by_kind.get("animal", [])[:MAX_MARKS]
    named = (mark for kind in KINDS for mark in by_kind.get(kind, ()))
    hits = [mark for mark in named if not _lies_in(mark, animals)][:MAX_MARKS]
    harmless = [] if "people" in by_kind else by_kind.get("harmless", [])[:MAX_MARKS]
    if not hits:
        return HostilitySigns(
            [], [], bool(denounced), "praise" in by_kind, "own" in by_kind, bool(harmless)
        )
    reported = by_kind.get("reported", [])[:MAX_MARKS]
    ends = sentence_ends(text)
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    denied = [*by_kind.get("negated", ()), *by_kind.get("own", ())][:MAX_MARKS]
    attacks: list[Mark] = []
    excused: list[Mark] = []
    for mark in hits:
        start, _ = sentence_of(ends, mark.start)
        reports = within(reported, max(start, mark.start - BEFORE), mark.end)
        is_reported = any(
            report.start <= mark.end and not _owns(report, mark) for report in reports
        )
        is_quoted = any(s <= mark.start and mark.end <= e for s, e in quoted)
        is_denounced = bool(within(denounced, start, mark.start))
        is_excused = is_reported or is_quoted or is_denounced or overlaps(mark, denied)
        is_excused = is_excused or _is_harmless(mark, harmless, text)
        (excused if is_excused else attacks).append(mark)
    return HostilitySigns(
        attacks,
        excused,
        bool(denounced),
        "praise" in by_kind,
        "own" in by_kind,
        bool(harmless) and not attacks,
    )


def _is_harmless(mark: Mark, harmless: Sequence[Mark], text: str) -> bool:
    """Whether an attack is in truth on things that are locked up, or names a female dog."""
    written = text[mark.start : mark.end].lower()
    if kind_of(mark) == "direct insult" or _CALLED.search(written):
        return False
    locked = [one for one in harmless if one.name == "harmless (locked)"]
    is_dog = any(one.name == "harmless (dog)" for one in harmless)
    is_locked = kind_of(mark) == "group hostility" and overlaps(mark, locked)
    return is_locked or (is_dog and _DOG.search(written) is not None)


def masked_attacks(text: str) -> set[str]:
    """The kinds of attack on somebody in other readings of a text: letters apart, leetspeak."""
    kinds: set[str] = set()
    for reading in unmasked(text):
        normal = normalise(reading)
        hits = matcher(frozenset({LEXICON})).find(normal)
        own = signs(normal.text, [Mark(hit.pattern, hit.start, hit.end) for hit in hits])
        kinds |= own.kinds().intersection((*TARGETED, "slur"))
    return kinds


def measures(result: HostilitySigns, logit: float) -> dict[str, float]:
    """What the fitted model reads: kinds of attack, excuses, and the logit of the n-gram model."""
    kinds = result.kinds()
    targeted = kinds.intersection(TARGETED)
    wording = min(0.0, logit) if result.harmless else logit
    weighed = {WEIGHED_AS.get(kind, kind) for kind in kinds}
    return {
        **{k.replace(" ", "_"): float(k in weighed) for k in KINDS if k not in WEIGHED_AS},
        "several": float(len(targeted) > 1),
        "untargeted": float(not targeted and "slur" not in kinds),
        "excused": float((bool(result.excused) or result.is_own) and not targeted),
        "denounced": float(result.denounced),
        "praised": float(result.praised and not targeted),
        "ngrams": _wording(wording, is_targeted=bool(targeted), is_marked=bool(result.attacks)),
    }


def _wording(logit: float, *, is_targeted: bool, is_marked: bool) -> float:
    """The n-gram model's logit as far as it is believed."""
    if logit > 0 and not is_marked:
        return ALONE * min(LARGEST, logit)
    return max(LOWEST if is_targeted else -LARGEST, min(LARGEST, logit))


def _lies_in(mark: Mark, animals: Sequence[Mark]) -> bool:
    """Whether a group insult is but the colour of an animal: "a black dog"."""
    is_group = kind_of(mark) == "group insult"
    return is_group and any(a.start <= mark.start and mark.end <= a.end for a in animals)


def _owns(report: Mark, mark: Mark) -> bool:
    """Whether a word of reporting is part of the attack itself, such as "calling" in a threat."""
    return report.start >= mark.start and report.end < mark.end


def probability(row: Mapping[str, float]) -> float:
    """The probability of the fitted model `toxicity_measures`."""
    return measure_model("toxicity_measures").probability(row)
