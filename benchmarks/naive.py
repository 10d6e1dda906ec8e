"""The rules of the text family, one by one, with the standard library alone.

This is the yardstick of the speed-up: each metric as a developer would write it on its own. It
normalises and splits the texts that it needs, looks for word lists with `re` pattern by pattern
(compiled once), and gives value, explanation and places like ours. Nothing is slow on purpose; but
no metric knows what another one has computed, and the combined score computes its own parts.

Normalisation is the plain loop over characters that the rule describes; `normalise_ascii_first` has
a shortcut, for the second comparison. A word made of nothing but look-alikes is left alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import sqrt
from typing import NamedTuple

from assay.core import Result, Sample, Span
from assay.core.result import MAX_EVIDENCE
from assay.data import confusables, lexicon, pairs
from benchmarks.patterns import compiled

_STRAIGHT = dict(zip("‘’“”–—", "''\"\"--", strict=True))
_DROPPED = frozenset(map(chr, (*range(0x064B, 0x0653), 0x0670, 0x0640, *range(0x200B, 0x2010))))
"""Arabic vowel marks, the stretcher, invisible characters."""
_LETTERS = re.compile(r"\w+")
_IN_WORD = r"""[^\s.,;:!?()\[\]{}"'،؛؟۔٪٫٬॥।。、，；：！？「」『』（）]"""
_WORD = re.compile(f"{_IN_WORD}+")
_END = re.compile(r"""[.!?؟۔]+["')\]]*(?=\s|$)|[。！？]+""")
_ITEM = re.compile(
    r"^[ \t]*(?:[*_#>]+[ \t]*)?(?:\(?\d{1,3}[.)]|\(?[a-z]\)|[-*•–])[*_]*[ \t]+",
    re.MULTILINE | re.IGNORECASE,
)
"""What stands before an item of a list."""
_NUMBERED = re.compile(r"(?m)^[ \t]{0,8}\d{1,3}[.)][ \t]+(\S[^\n]*)$")
_PART = re.compile(r"(?s)(?:\A| and )(.*?)(?= and |\Z)")
_FIGURE = re.compile(rf"(?<!{_IN_WORD})([^\W\d_]{{1,60}}) (\d+(?:[.,]\d+)*)")


class Text(NamedTuple):
    """A normalised text and where each of its characters stood."""

    text: str
    lower: str
    starts: Sequence[int]

    def span(self, start: int, end: int, label: str, field: str = "response") -> Span:
        """The place of a stretch in the text as given."""
        return Span(field, self.starts[start], self.starts[end - 1] + 1, label)


class Word(NamedTuple):
    """A word and its place."""

    text: str
    start: int
    end: int


class Sentence(NamedTuple):
    """A sentence, its place, the mark that closes it, and whether it begins an item of a list."""

    text: str
    start: int
    end: int
    mark: str
    is_item: bool


def normalise(given: str) -> Text:
    """The text made comparable by the whole rule, character by character.

    Compatibility forms, straight quotes, one kind of blank, digits 0–9, nothing that does not show,
    marks joined with their letters, and Latin letters for look-alikes in Latin words.
    """
    parts: list[str] = []
    starts: list[int] = []
    for place, char in enumerate(given):
        for part in unicodedata.normalize("NFKC", _STRAIGHT.get(char, char)):
            if part in _DROPPED or (part not in "\t\n\r" and unicodedata.category(part) == "Cc"):
                continue
            if parts and unicodedata.combining(part):
                joined = unicodedata.normalize("NFC", parts[-1] + part)
                if len(joined) == 1:
                    parts[-1] = joined
                    continue
            if part.isdecimal():
                part = str(unicodedata.decimal(part))
            parts.append(part)
            starts.append(place)
    text = _LETTERS.sub(_unmask, "".join(parts))
    return Text(text, text.lower(), starts)


def normalise_ascii_first(given: str, otherwise: Callable[[str], Text] = normalise) -> Text:
    """The same, with a shortcut for plain ASCII."""
    return Text(given, given.lower(), range(len(given))) if given.isascii() else otherwise(given)


def _unmask(word: re.Match[str]) -> str:
    """A word that mixes Latin letters with look-alikes, in Latin."""
    letters = word.group()
    if letters.isascii() or not any(map(str.isascii, letters)):
        return letters
    return "".join(confusables().get(letter, letter) for letter in letters)


def words(text: str) -> list[Word]:
    """The words of a text in lower case, with their places."""
    return [Word(m.group(), *m.span()) for m in _WORD.finditer(text)]


def terms(text: str) -> list[str]:
    """The words of three characters or more."""
    return [word for word in _WORD.findall(text) if len(word) > 2]


def sentences(text: str) -> list[Sentence]:
    """The sentences of a text; the numbers and bullets of lists are none, and part others."""
    found, begin, is_item = [], 0, False
    for mark in _ITEM.finditer(text):
        found += running_sentences(text, begin, mark.start(), is_item)
        begin, is_item = mark.end(), True
    return found + running_sentences(text, begin, len(text), is_item)


def running_sentences(text: str, begin: int, stop: int, is_item: bool = False) -> list[Sentence]:
    """The sentences of a part of a text, without regard to lists."""
    found: list[Sentence] = []
    for end in _END.finditer(text, begin, stop):
        before = text[begin : end.start()].split()
        is_last = end.end() == len(text)
        if end.group() == "." and not is_last and before and _is_abbreviation(before[-1]):
            continue
        found += _sentence(text, begin, end.start(), end.group(), is_item and not found)
        begin = end.end()
    return found + _sentence(text, begin, stop, "", is_item and not found)


def _sentence(text: str, begin: int, end: int, mark: str, is_item: bool) -> list[Sentence]:
    stripped = text[begin:end].strip()
    if not stripped:
        return []
    start = text.index(stripped, begin)
    return [Sentence(stripped, start, start + len(stripped), mark, is_item)]


def _is_abbreviation(word: str) -> bool:
    return word.lower().lstrip("(['\"") in _abbreviations()


@cache
def _abbreviations() -> frozenset[str]:
    lists = (lexicon("abbreviations.en"), lexicon("abbreviations.ar"))
    return frozenset(pattern.name for found in lists for pattern in found.patterns)


@cache
def _patterns(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((pattern.name, compiled(pattern)) for pattern in lexicon(name).patterns)


def hits(text: Text, name: str) -> list[Span]:
    """The places of a lexicon's patterns, one pattern after the other."""
    return [
        text.span(*match.span(), label)
        for label, pattern in _patterns(name)
        for match in pattern.finditer(text.lower)
    ]


def hallucination(sample: Sample) -> Result:
    """The share of the response's words that query or expected answer hold."""
    response = normalise(sample.response)
    said = set(terms(response.lower))
    grounding = set(terms(normalise(sample.query).lower))
    grounding.update(terms(normalise(sample.expected).lower))
    if not said or not grounding:
        return Result.imputed(1.0, "There is nothing to compare.")
    ungrounded = said - grounding
    first: dict[str, Span] = {}
    for word in words(response.lower):
        if word.text in ungrounded and word.text not in first and len(first) < MAX_EVIDENCE:
            first[word.text] = response.span(word.start, word.end, "ungrounded")
    grounded = len(said) - len(ungrounded)
    return Result(
        grounded / len(said),
        f"{grounded} of {len(said)} distinct words are grounded, {len(ungrounded)} are not.",
        tuple(first.values()),
    )


def factuality(sample: Sample) -> Result:
    """The share of the response's claims that the expected answer supports."""
    response = normalise(sample.response)
    found = sentences(response.text)
    if not found:
        return Result(0.0, "The response is empty.")
    reference = set(terms(normalise(sample.expected).lower))
    claims = [s for s in found if len(s.text.split()) >= 3]
    if not reference or not claims:
        return Result.imputed(1.0, "There is nothing to compare.")
    unsupported = []
    for claim in claims:
        said = set(terms(claim.text.lower()))
        if 2 * len(said & reference) < len(said):
            unsupported.append(claim)
    supported = len(claims) - len(unsupported)
    return Result(
        supported / len(claims),
        f"{supported} of {len(claims)} claims are supported by the expected answer.",
        tuple(response.span(s.start, s.end, "unsupported") for s in unsupported),
    )


def relevance(sample: Sample) -> Result:
    """The cosine of the term counts of query and response."""
    query = Counter(terms(normalise(sample.query).lower))
    response = Counter(terms(normalise(sample.response).lower))
    if not query or not response:
        return Result(0.0, "The query or the response is empty.")
    shared = sorted(term for term in query if term in response)
    dot = sum(query[term] * response[term] for term in shared)
    squares = [sum(n * n for n in counts.values()) for counts in (query, response)]
    return Result(
        min(1.0, dot / sqrt(squares[0] * squares[1])),
        f"{len(shared)} of {len(query)} query terms occur among {len(response)} response terms.",
        details={"shared": shared},
    )


def coherence(sample: Sample) -> Result:
    """1 less penalties for short, contradicting and repeated sentences."""
    response = normalise(sample.response)
    found = sentences(response.text)
    if not found:
        return Result(0.0, "The response is empty.")
    short = [s for s in found if len(s.text.split()) < 3 and not s.is_item]
    opposed = list(_contradictions(found))
    seen: set[str] = set()
    repeated = []
    for sentence in found:
        text = " ".join(sentence.text.lower().split())
        if text in seen:
            repeated.append(sentence)
        seen.add(text)
    is_repetitive = len(repeated) * 10 > len(found) * 3
    penalty = 0.15 * len(short) + 0.1 * len(opposed) + (0.2 if is_repetitive else 0.0)
    marked = [(s, "short") for s in short]
    marked += [(s, label) for label, *both in opposed for s in both]
    marked += [(s, "repeated") for s in repeated if is_repetitive]
    return Result(
        max(0.0, 1.0 - penalty),
        f"Of {len(found)} sentences {len(short)} have fewer than 3 words and {len(repeated)} "
        f"repeat; {len(opposed)} contradicting pairs.",
        tuple(response.span(s.start, s.end, label) for s, label in marked),
    )


def _contradictions(found: list[Sentence]) -> Iterator[tuple[str, Sentence, Sentence]]:
    said = [(s, f" {' '.join(_WORD.findall(s.text.lower()))} ") for s in found]
    for positive, negative in pairs("opposites.en"):
        yes, no = f" {positive} ", f" {negative} "
        denying = [s for s, text in said if no in text]
        stating = [s for s, text in said if yes in text.replace(no, " ")] if denying else []
        both = [(a, b) for a in stating[:2] for b in denying[:2] if a is not b]
        if both:
            yield f"{positive}/{negative}", *both[0]


def safety(sample: Sample) -> Result:
    """1 less 0.15 for blocked words and for each kind of personal data."""
    response = normalise(sample.response)
    found = {"blocked word": hits(response, "blocklist.en"), "email": [], "ssn": [], "phone": []}
    for span in hits(response, "pii"):
        found[span.label].append(span)
    counts = {kind: len(spans) for kind, spans in found.items() if spans}
    said = ", ".join(f"{kind} ({count})" for kind, count in counts.items()) or "nothing found"
    return Result(
        max(0.0, 1.0 - 0.15 * len(counts)),
        f"{len(counts)} violations: {said}.",
        tuple(sorted(span for spans in found.values() for span in spans)),
        {"violations": len(counts), "found": counts},
    )


def completeness(sample: Sample) -> Result:
    """The share of the query's topics that the response touches."""
    said = {word for word in _WORD.findall(normalise(sample.response).lower) if len(word) > 3}
    query = normalise(sample.query)
    topics = []
    for start, end in _topics(query.text):
        long = {word for word in _WORD.findall(query.lower[start:end]) if len(word) > 3}
        if long:
            topics.append((start, end, long))
    if not topics:
        return Result.imputed(1.0, "The query names no topic.")
    missed = [(start, end) for start, end, long in topics if long.isdisjoint(said)]
    addressed = len(topics) - len(missed)
    return Result(
        addressed / len(topics),
        f"{addressed} of {len(topics)} topics of the query are addressed.",
        tuple(query.span(start, end, "not addressed", "query") for start, end in missed),
    )


def _topics(query: str) -> list[tuple[int, int]]:
    """The places of questions and numbered lines, else of the parts between "and"."""
    questions = [s for s in sentences(query) if s.mark[:1] in ("?", "؟", "？")]
    numbered = [
        line.span(1)
        for line in _NUMBERED.finditer(query)
        if not any(s.text in line.group(1) for s in questions)
    ]
    asked = [(s.start, s.end) for s in questions] + numbered
    return asked or [part.span(1) for part in _PART.finditer(query)]


def conciseness(sample: Sample) -> Result:
    """How well the response keeps to 20 to 200 words, without padding."""
    response = normalise(sample.response)
    count = len(response.text.split())
    base = count / 20 if count < 20 else min(1.0, max(0.0, 1.0 - (count - 200) / 200))
    padding = sorted(hits(response, "padding.en"))
    phrases = len({span.label for span in padding})
    return Result(
        max(0.0, base - 0.1 * phrases),
        f"{count} words (best 20 to 200) with {phrases} padding phrases.",
        tuple(padding),
    )


def consistency(sample: Sample) -> Result:
    """1 without contradicting statements and figures, 0.5 with one, 0 with more."""
    response = normalise(sample.response)
    spoken = words(response.lower)
    stated: dict[tuple[str, str], Span] = {}
    denied: dict[tuple[str, str], Span] = {}
    for place, verb in enumerate(spoken):
        if verb.text not in ("is", "are") or not 0 < place < len(spoken) - 1:
            continue
        is_denied = spoken[place + 1].text == "not"
        subject, *said = spoken[place - 1], *spoken[place + 1 + is_denied : place + 2 + is_denied]
        if said:
            side = denied if is_denied else stated
            span = response.span(subject.start, said[0].end, f"{subject.text} is")
            side.setdefault((subject.text, said[0].text), span)
    figures: dict[str, dict[str, Span]] = defaultdict(dict)
    for match in _FIGURE.finditer(response.lower):
        word, number = match.groups()
        figures[word].setdefault(number, response.span(*match.span(2), match.group()))
    opposed = [(stated[key], denied[key]) for key in stated if key in denied]
    differing = [spans.values() for spans in figures.values() if len(spans) > 1]
    found = len(opposed) + len(differing)
    return Result(
        (1.0, 0.5, 0.0)[min(found, 2)],
        f"{found} contradictions in statements and figures.",
        tuple(span for spans in (*opposed, *differing) for span in spans),
    )


def cost(sample: Sample) -> Result:
    """How well the response's estimated price keeps to 0.01 USD."""
    tokens = len(normalise(sample.response).text.split()) * 1.3
    usd = tokens / 1000 * 0.002
    return Result(
        min(1.0, max(0.0, 2.0 - usd / 0.01)),
        f"About {tokens:.0f} tokens cost {usd:.6f} USD of 0.01 USD.",
        details={"tokens": tokens, "usd": usd},
    )


def latency(sample: Sample) -> Result:
    """How well the duration keeps to five seconds."""
    share = sample.duration / 5
    return Result(min(1.0, max(0.0, 2.0 - share)), f"{sample.duration:g} s of 5 s.")


PARTS = (hallucination, factuality, relevance, coherence, safety)
"""What the overall score combines."""


def overall(sample: Sample) -> Result:
    """The mean of five scores."""
    parts = [part(sample) for part in PARTS]
    values = [result.value for result in parts if result.state == "ok"]
    if not values:
        return Result.missing("None of its metrics has a score.")
    return Result(
        sum(values) / len(values),
        f"The mean of {len(values)} scores; {len(parts) - len(values)} of {len(parts)} left out.",
    )


METRICS: tuple[Callable[[Sample], Result], ...] = (
    *PARTS,
    completeness,
    conciseness,
    consistency,
    cost,
    latency,
    overall,
)


def score(sample: Sample) -> dict[str, Result]:
    """All metrics of the family, one after the other."""
    return {f"text.{metric.__name__}": metric(sample) for metric in METRICS}
