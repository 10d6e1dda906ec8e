"""What a response claims: each of its sentences, and each source that it cites.

Questions, greetings and pieces of ten characters or fewer claim nothing. A citation in brackets is
taken out of the sentence's text and is a claim of its own: that there is such a source.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from assay.core import Document, Span, feature
from assay.features.citations import MARK, MIN_NAME, context_names, name_key
from assay.features.document_names import document_key, document_keys, without_place
from assay.features.normal import normal as normal_feature
from assay.features.sentences import ABBREVIATIONS, bounds
from assay.textproc.entity_names import Name, names
from assay.textproc.normal import Normal
from assay.textproc.quantities import NO_FIGURES, Figures, figures
from assay.textproc.word_keys import Keys, listed

Kind = Literal["assertion", "numeric", "temporal", "entity", "citation"]
MIN_LENGTH = 10
"""A sentence must be longer than this, in characters, to claim something."""
MAX_CLAIMS = 400
"""At most so many claims of one response are looked at."""
GREETING = 6
"""A sentence of at most so many words that begins with a greeting is one."""
MAX_FIGURES = 50
"""At most so many numbers, and as many dates, of one claim are compared."""
_QUESTIONS = frozenset("?؟？")
_LINE = re.compile(r"\n(?=[^\S\n]*(?:[-*•–]|\d{1,3}[.)]|\n))")
"""A line break before an item of a list or an empty line."""
_BULLET = re.compile(r"\s*(?:[-*•–#]+|\d{1,3}[.)])\s+")
_SOURCE = re.compile(r"(?:source|ref|reference|see|doc|document|citation)s?\s*[:#]?\s+")
_ROUND = re.compile(r"\(([^()\n]{1,80})\)")
_INTRODUCED = re.compile(
    r"(?:(?:source|ref|reference|see|doc|document|citation)s?\b\.?|المصدر|مصدر|المرجع|مرجع|انظر|راجع)"
    r"\s*[:#]?\s*"
)
"""What stands before a source in round brackets."""
_REFERENCE = re.compile(r"\d{1,3}|.*\.(?:pdf|docx?|xlsx?|txt|html?|md|csv)\b.*")


class Claim(NamedTuple):
    """One thing that a response says."""

    text: str
    """The normalised text, without citations."""
    start: int
    """Its place in the response as given."""
    end: int
    kinds: tuple[Kind, ...]
    """The most special kind first: a sentence with a number is numeric, and an assertion too."""
    keys: Keys
    figures: Figures
    names: tuple[Name, ...]
    context: int | None = None
    """For a citation the context that it names, if there is one."""

    @property
    def kind(self) -> Kind:
        """The most special kind."""
        return self.kinds[0]

    @property
    def span(self) -> Span:
        """Its place as evidence."""
        return Span("response", self.start, self.end, self.kind)


Claims = tuple[Claim, ...]


@feature(
    data=(
        *ABBREVIATIONS,
        "lexicons/function_words.ar.txt",
        "lexicons/function_words.en.txt",
        "lexicons/greetings.en.txt",
        "lexicons/negations.en.txt",
        "quantities.toml",
    )
)
def response_claims(response_normal: Normal, contexts: tuple[Document, ...]) -> Claims:
    """The claims of the response in order of place, the first of them where there are very many."""
    plain, citations = _without_citations(response_normal, contexts)
    claims = [*_assertions(plain, response_normal), *citations]
    return tuple(sorted(claims[:MAX_CLAIMS], key=lambda claim: (claim.start, claim.end)))


@feature(
    data=(
        *ABBREVIATIONS,
        "lexicons/greetings.en.txt",
        "quantities.toml",
    )
)
def response_statements(response_normal: Normal, contexts: tuple[Document, ...]) -> Claims:
    """What the response says: its claims without citations, else the whole of it as one."""
    return statements(response_normal, contexts)


def statements(text: Normal, contexts: Sequence[Document] = ()) -> Claims:
    """The assertions of a text, citations taken out; one that makes none is a statement itself."""
    plain, _ = _without_citations(text, contexts)
    plain = _without_sources(plain, contexts)
    result = tuple(_assertions(plain, text))
    if result:
        return result
    whole = plain.text.strip()
    start = plain.text.find(whole)
    own = normal_feature.feature(whole)
    keys = Keys(own.lower)
    place = text.span(start, start + len(whole))
    return (_assertion(own, place, keys),) if keys.all else ()


def _without_citations(text: Normal, contexts: Sequence[Document]) -> tuple[Normal, list[Claim]]:
    """The text with blanks for what it cites in brackets, and the citations."""
    known = context_names(contexts)
    pieces: list[str] = []
    citations: list[Claim] = []
    done = 0
    for mark in MARK.finditer(text.text):
        cited = _SOURCE.sub("", name_key(mark[1]), count=1)
        context = known.get(cited, known.get(without_place(cited)))
        if context is None and cited.isdecimal() and 0 < int(cited[:9]) <= len(contexts):
            context = int(cited[:9]) - 1
        if context is None and cited == name_key(mark[1]) and not _REFERENCE.fullmatch(cited):
            continue
        pieces += [text.text[done : mark.start()], " " * (mark.end() - mark.start())]
        done = mark.end()
        if len(citations) < MAX_CLAIMS // 2:
            citations.append(_citation(text, mark, context))
    blanked = "".join([*pieces, text.text[done:]])
    return Normal(blanked, blanked, array("I"), array("I")), citations


def _without_sources(text: Normal, contexts: Sequence[Document]) -> Normal:
    """The text with blanks for sources in round brackets: (pool rules), (source: rules.pdf)."""
    if "(" not in text.text:
        return text
    names = context_names(contexts).keys() | document_keys(contexts).keys()
    pieces: list[str] = []
    done = 0
    for mark in _ROUND.finditer(text.text):
        if all(_is_source(part, names) for part in mark[1].split(";")):
            pieces += [text.text[done : mark.start()], " " * (mark.end() - mark.start())]
            done = mark.end()
    blanked = "".join([*pieces, text.text[done:]])
    return Normal(blanked, blanked, array("I"), array("I"))


def _is_source(said: str, names: AbstractSet[str]) -> bool:
    """Whether words in brackets name a context, or are introduced as a source and look like one."""
    key = name_key(said)
    introduced = _INTRODUCED.match(key)
    cited = key[introduced.end() :] if introduced else key
    name = without_place(cited)
    is_known = name in names or document_key(name) in names
    if introduced:
        return is_known or _REFERENCE.fullmatch(cited) is not None
    return is_known and len(name) >= MIN_NAME and not name.isdecimal()


def _citation(text: Normal, mark: re.Match[str], context: int | None) -> Claim:
    normal = normal_feature.feature(mark.group())
    place = text.span(*mark.span())
    return Claim(normal.text, *place, ("citation",), Keys(normal.lower), NO_FIGURES, (), context)


def _assertions(plain: Normal, given: Normal) -> Iterator[Claim]:
    """The sentences that claim something; the items of a list each for itself."""
    count = 0
    for begin, stop in bounds(plain):
        if plain.text[stop : stop + 1] in _QUESTIONS:
            continue
        for start, end in _items(plain.text, begin, stop):
            text = normal_feature.feature(plain.text[start:end])
            keys = Keys(text.lower)
            if _is_claim(text, keys):
                yield _assertion(text, given.span(start, end), keys)
                count += 1
                if count == MAX_CLAIMS:
                    return


def _items(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """The items of a list inside a sentence, without bullets and blanks around.

    The full stop of "2." may be what the sentence ends with.
    """
    found = (match.start() for match in _LINE.finditer(text, first, last + 1))
    breaks = [place for place in found if place < last]
    for begin, end in pairwise((first, *breaks, last)):
        bullet = _BULLET.match(text, begin, end)
        start = bullet.end() if bullet else begin
        own = text[start:end]
        start += len(own) - len(own.lstrip())
        end = start + len(own.strip())
        if start < end:
            yield start, end


def _is_claim(text: Normal, keys: Keys) -> bool:
    """Whether a piece is long enough to say something, and more than a greeting."""
    if len(text.text) <= MIN_LENGTH or not keys.all or text.text.endswith(":"):
        return False
    return len(keys.all) > GREETING or not _is_greeting(text.lower.lstrip("\"'([ "))


def _is_greeting(lower: str) -> bool:
    """Whether the text begins with a greeting, as whole words."""
    return lower.startswith(_greetings()) and any(
        lower.startswith(greeting) and not lower[len(greeting) : len(greeting) + 1].isalnum()
        for greeting in _greetings()
    )


def _assertion(text: Normal, place: tuple[int, int], keys: Keys) -> Claim:
    quantities = figures(text.lower, keys.words)
    numbers = Figures(quantities.quantities[:MAX_FIGURES], quantities.dates[:MAX_FIGURES])
    taken = {place for start, end in numbers.places for place in range(start, end)}
    proper = tuple(name for name in names(text) if name.start not in taken)
    is_numeric = any(not one.is_small_word for one in numbers.quantities)
    kinds: list[Kind] = ["numeric"] if is_numeric else []
    kinds += ["temporal"] if numbers.dates else []
    kinds += ["entity"] if proper else []
    return Claim(text.text, *place, (*kinds, "assertion"), keys, numbers, proper)


@cache
def _greetings() -> tuple[str, ...]:
    return tuple(listed("greetings.en"))
