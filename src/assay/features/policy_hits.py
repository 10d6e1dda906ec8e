"""Where the patterns of the run's policy pack occur in the query and in the response."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from assay.core.errors import ProfileError
from assay.core.metric import text_feature
from assay.core.result import Result, Span
from assay.data.policies import (
    CLAUSES,
    QUERY_SECTIONS,
    RESPONSE_SECTIONS,
    SECTIONS,
    Policy,
    PolicyExample,
    split_keyword,
)
from assay.features.hits import Hits, by_lexicon
from assay.features.normal import normal as normal_feature
from assay.textproc.language import is_other_script
from assay.textproc.normal import Normal
from assay.textproc.patterns import Matcher

KEPT = 16
"""So many compiled parts of packs are kept; a run has one pack."""


@text_feature()
def policy_hits(normal: Normal, policy: Policy, *, field: str) -> Hits:
    """Section → its hits in order of place, found in one pass; none for sections it lacks.

    The query is searched for clauses and allowed phrases, every other text for the rest.
    """
    sections = QUERY_SECTIONS if field == "query" else RESPONSE_SECTIONS
    spans = by_lexicon(policy_matcher(policy, sections), normal, field)
    return {section: spans.get(_place(policy, section), ()) for section in sections}


@lru_cache(maxsize=KEPT)
def policy_matcher(policy: Policy, sections: tuple[str, ...]) -> Matcher:
    """Some sections of a pack, compiled together."""
    return Matcher([policy.lexicons[name] for name in sections if name in policy.lexicons])


def excused(spans: Sequence[Span], excuses: Sequence[Span]) -> tuple[Span, ...]:
    """The hits that do not lie inside an excuse; both are in order of place."""
    kept: list[Span] = []
    ends: list[int] = []  # ends[i]: the furthest end of the excuses up to i
    for span in excuses:
        ends.append(max(span.end, ends[-1]) if ends else span.end)
    place = 0
    for span in spans:
        while place < len(excuses) and excuses[place].start <= span.start:
            place += 1
        if not place or ends[place - 1] < span.end:
            kept.append(span)
    return tuple(kept)


def lacking(policy: Policy, section: str) -> Result | None:
    """No score for a section that the pack does not have; None where it has it."""
    if section in policy.lexicons:
        return None
    return Result.missing(f"The policy {policy.name!r} has no [[{section}]].")


def unread_by(policy: Policy, language: str | None, field: str) -> Result | None:
    """No score for a text in a script that the pack's words are not in; None where it reads it."""
    return unread(policy.languages, language, field, f"The policy {policy.name!r}")


def unread(
    languages: Sequence[str], language: str | None, field: str, reader: str = "The rule"
) -> Result | None:
    """No score for a text in another script than those of some languages; None otherwise."""
    if language is None or language == "und" or language in languages:
        return None
    if not is_other_script(language) and not all(map(is_other_script, languages)):
        return None
    return Result.missing(f"{reader} reads {', '.join(languages)}; the {field} is in {language!r}.")


def check_policy(policy: Policy) -> list[str]:
    """What is wrong with a pack's examples, one line each; a wrong pattern raises."""
    for sections in (QUERY_SECTIONS, RESPONSE_SECTIONS):
        policy_matcher(policy, sections)
    return list(_wrong(policy))


@lru_cache(maxsize=KEPT)
def require_sound(policy: Policy) -> None:
    """Refuse a pack with a pattern or an example that does not hold."""
    if wrong := check_policy(policy):
        raise ProfileError(wrong[0])


def _wrong(policy: Policy) -> Iterator[str]:
    matchers = {name: policy_matcher(policy, (name,)) for name in SECTIONS}
    for example in policy.examples:
        if _matches_example(example, matchers[example.section]) is example.is_match:
            continue
        outcome = "does not match" if example.is_match else "matches"
        key = "matches" if example.is_match else "rejects"
        yield (
            f"{policy.file}: {example.section} {example.name!r} {outcome} its own example "
            f"{example.text!r}; correct the pattern, or take the example out of {key!r}"
        )


def _matches_example(example: PolicyExample, matcher: Matcher) -> bool:
    patterns = (hit.pattern for hit in matcher.find(normal_feature.feature(example.text)))
    if example.section in CLAUSES:
        return any(split_keyword(name)[0] == example.name for name in patterns)
    return example.name in patterns


def _place(policy: Policy, section: str) -> str:
    """What the lexicon of a section is called."""
    own_lexicon = policy.lexicons.get(section)
    return own_lexicon.name if own_lexicon else ""
