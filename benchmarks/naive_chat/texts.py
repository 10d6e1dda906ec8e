"""Overlap, citations, reasoning and form of the response."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from nltk.stem.porter import PorterStemmer
from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu
from rouge_score.rouge_scorer import RougeScorer

from assay.core import MAX_EVIDENCE, Document, Result, Sample, Span
from assay.data import Pattern
from benchmarks import naive
from benchmarks.naive import Text
from benchmarks.naive_chat.reading import (
    Rule,
    Step,
    hits,
    matches,
    needs,
    reads_english,
    steps,
    weights,
)
from benchmarks.patterns import compiled

_PLAIN_WORD = re.compile(r"\w+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_BLANK_PARTED = re.compile(r"\S+")
_TERM = re.compile(r"\b[A-Z][a-z]+\b")
_TAG = re.compile(r"</?[a-z][a-z0-9:-]*(?:[\s/][^<>]*)?>|<!--|<!doctype\b", re.IGNORECASE)
_BRACKETS = re.compile(r"[\[【]([^\[\]【】\n]{1,80})[\]】](\([^()\s]*\))?")


def _first_places(
    text: str, field: str, label: str, is_wanted: Callable[[str], bool], word: re.Pattern[str]
) -> tuple[Span, ...]:
    """The first place of each wanted word."""
    seen: set[str] = set()
    found: list[Span] = []
    for match in word.finditer(text):
        if match.group() in seen:
            continue
        seen.add(match.group())
        if is_wanted(match.group()):
            found.append(Span(field, *match.span(), label))
    return tuple(found)


@cache
def _smoothing() -> Callable[..., object]:
    return SmoothingFunction().method1


@needs("response", "expected")
def bleu(sample: Sample) -> Result:
    """Sentence BLEU by NLTK."""
    reference, candidate = sample.expected.split(), sample.response.split()
    value = float(sentence_bleu([reference], candidate, smoothing_function=_smoothing()))
    known = set(reference)
    spans = _first_places(
        sample.response, "response", "not expected", lambda w: w not in known, _BLANK_PARTED
    )
    return Result(min(1.0, value), f"BLEU {value:.3f}.", spans).limited()


@needs("response", "expected")
def bleu_fallback(sample: Sample) -> Result:
    """The share of the expected words that the response holds."""
    wanted, held = set(sample.expected.lower().split()), set(sample.response.lower().split())
    if not wanted:
        return Result.missing("The expected answer has no words.")
    shared = len(wanted & held)
    spans = _first_places(
        sample.expected, "expected", "lacking", lambda w: w.lower() not in held, _BLANK_PARTED
    )
    return Result(shared / len(wanted), f"{shared} of {len(wanted)} words.", spans).limited()


class _Ready:
    """A tokeniser for texts that are tokens already, so that they are split once a metric."""

    def tokenize(self, tokens: list[str]) -> list[str]:
        return tokens


@cache
def _scorer() -> RougeScorer:
    return RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=_Ready())


@cache
def _stemmer() -> PorterStemmer:
    return PorterStemmer()


def _stems(words: Iterable[str]) -> list[str]:
    stem = _stemmer().stem
    return [stem(word) if len(word) > 3 and word.isascii() else word for word in words]


@needs("response", "expected")
@reads_english
def rouge(sample: Sample, response: Text) -> Result:
    """ROUGE-L F1 by rouge-score, with stems by NLTK."""
    words = re.findall(r"[a-z0-9]+", sample.expected.lower())
    reference = _stems(words)
    candidate = _stems(re.findall(r"[a-z0-9]+", sample.response.lower()))
    found = _scorer().score(reference, candidate)
    held = set(candidate)
    lacking = {word for word, stem in zip(words, reference, strict=True) if stem not in held}
    spans = _first_places(
        sample.expected, "expected", "lacking", lambda w: w.lower() in lacking, _ASCII_WORD
    )
    return Result(found["rougeL"].fmeasure, f"ROUGE {found}.", spans).limited()


@needs("response", "expected")
def rouge_unicode(sample: Sample) -> Result:
    """The same over words of any script."""
    expected = naive.normalise(sample.expected)
    spoken = naive.words(expected.lower)
    reference = _stems(word.text for word in spoken)
    response = naive.normalise(sample.response)
    candidate = _stems(word.text for word in naive.words(response.lower))
    found = _scorer().score(reference, candidate)
    held = set(candidate)
    lacking: dict[str, Span] = {}
    for word, stem in zip(spoken, reference, strict=True):
        if stem not in held and word.text not in lacking:
            lacking[word.text] = expected.span(word.start, word.end, "lacking", "expected")
    spans = tuple(lacking.values())
    return Result(found["rougeL"].fmeasure, f"ROUGE {found}.", spans).limited()


@needs("response", "expected")
def exact_match(sample: Sample) -> Result:
    """Whether response and expected answer are equal but for case and outer blanks."""
    if not sample.response or not sample.expected:
        return Result.missing("The response or the expected answer is empty.")
    given, wanted = sample.response.strip().lower(), sample.expected.strip().lower()
    if given == wanted:
        return Result(1.0, "The response is the expected answer.")
    place = next((n for n, (a, b) in enumerate(zip(given, wanted, strict=False)) if a != b), None)
    place = min(len(given), len(wanted)) if place is None else place
    said = f"The response differs from the expected answer at character {place + 1}."
    if place < len(given):
        return Result(0.0, said, (_rest("response", sample.response, place),))
    return Result(0.0, said, (_rest("expected", sample.expected, place),))


def _rest(field: str, text: str, place: int) -> Span:
    start = len(text) - len(text.lstrip())
    return Span(field, start + place, start + len(text.strip()), "differs")


@needs("response")
def citation_accuracy(sample: Sample) -> Result:
    """The strongest mark of a citation, with a bonus for several."""
    weight = weights("citations")
    apart: list[Span] = []
    for hit in hits(naive.normalise(sample.response), "citations"):
        if not apart or hit.start >= apart[-1].end:
            apart.append(hit)
        elif weight[hit.label] > weight[apart[-1].label]:
            apart[-1] = hit
    value = 100.0 * max((weight[hit.label] for hit in apart), default=0.0)
    if len(apart) > 1:
        value = min(100.0, value * (1 + 0.1 * (len(apart) - 1)))
    return Result(value, f"The response holds {len(apart)} citations.", tuple(apart))


class _Mark(NamedTuple):
    """A citation: its place in the normalised text and the context that it names."""

    start: int
    end: int
    context: int | None


@needs("response", "contexts")
def citation_support(sample: Sample) -> Result:
    """The share of citations whose context holds half of the citing sentence's words."""
    response = naive.normalise(sample.response)
    names: dict[str, int] = {}
    for place, document in enumerate(sample.contexts):
        for name in (document.id, document.source):
            if name and (key := " ".join(naive.normalise(name).lower.split())):
                names.setdefault(key, place)
    marks = _bracketed(response.text, names, len(sample.contexts))
    plain = response.text
    if marks:
        plain = _BRACKETS.sub(lambda mark: " " * len(mark.group()), plain)
    for name, place in names.items():
        if len(name) >= 3 and not name.isdecimal():
            phrase = compiled(Pattern(name, phrase=name))
            marks += [_Mark(*match.span(), place) for match in phrase.finditer(plain.lower())]
    if not marks:
        return Result.missing("The response cites nothing.")
    sentences = naive.running_sentences(plain, 0, len(plain))
    labels = _support(sorted(marks), sentences, sample.contexts)
    return Result(
        labels.count("supported") / len(labels),
        f"{labels.count('supported')} of {len(labels)} citations are supported.",
        tuple(
            response.span(mark.start, mark.end, label)
            for mark, label in zip(sorted(marks), labels, strict=True)
        ),
    )


def _bracketed(text: str, names: dict[str, int], count: int) -> list[_Mark]:
    found = []
    for mark in _BRACKETS.finditer(text):
        for part in re.finditer(r"[^,;]+", mark[1]):
            key = " ".join(part.group().lower().split())
            context = names.get(key)
            if context is None and key.isdecimal() and 0 < int(key) <= count:
                context = int(key) - 1
            if any(map(str.isalnum, key)) and (context is not None or not mark[2]):
                start = mark.start(1)
                found.append(_Mark(start + part.start(), start + part.end(), context))
    return found


def _support(
    marks: list[_Mark], sentences: list[naive.Sentence], contexts: tuple[Document, ...]
) -> list[str]:
    known: dict[int, set[str]] = {}
    labels = []
    for mark in marks:
        if mark.context is None:
            labels.append("no such context")
            continue
        if mark.context not in known:
            content = naive.normalise(contexts[mark.context].content)
            known[mark.context] = {word.text for word in naive.words(content.lower)}
        before = [s for s in sentences if s.start <= mark.start] or sentences[:1]
        said = set(naive.terms(before[-1].text.lower())) if before else set()
        is_held = bool(said) and 2 * len(said & known[mark.context]) >= len(said)
        labels.append("supported" if is_held else "unsupported")
    return labels


@needs("response", "contexts")
def context_intrusion(sample: Sample) -> Result:
    """How many of the response's words stand in the contexts, in straight lines."""
    response = naive.normalise(sample.response)
    spoken = [match for match in _PLAIN_WORD.finditer(response.lower) if len(match.group()) > 2]
    known: set[str] = set()
    for document in sample.contexts:
        known.update(_PLAIN_WORD.findall(naive.normalise(document.content).lower))
    words = {match.group() for match in spoken}
    if not words:
        return Result(0.0, "The response has no words of three characters or more.")
    share = len(words & known) / len(words)
    runs: list[tuple[int, int]] = []
    goes_on = False
    for match in spoken:
        if match.group() in known:
            runs.append((runs.pop()[0] if goes_on else match.start(), match.end()))
        goes_on = match.group() in known
    longest = sorted(sorted(runs, key=lambda run: run[0] - run[1])[:MAX_EVIDENCE])
    return Result(
        _on_lines(share),
        f"{len(words & known)} of {len(words)} words occur in the contexts.",
        tuple(response.span(start, end, "in the contexts") for start, end in longest),
    ).limited(len(runs))


def _on_lines(share: float) -> float:
    points = ((0.0, 0.0), (0.15, 0.0), (0.30, 20.0), (0.50, 60.0), (0.70, 90.0), (1.0, 100.0))
    for (low, base), (high, top) in pairwise(points):
        if share <= high:
            return base + (share - low) / (high - low) * (top - base)
    return 100.0


@needs("response")
@reads_english
def cot_validity(sample: Sample, response: Text) -> Result:
    """The points of steps, connectors and conclusion over those that can be had."""
    found = steps(response)
    conclusions = hits(response, "conclusions.en")
    is_chain = len(found) > 1 or conclusions or hits(response, "connectors.en", "step_markers")
    if not found or not is_chain:
        return Result.missing("The response is no chain of thought.")
    counts = [len(step.text.split()) for step in found]
    tied = sum(step.has_connector for step in found)
    points = sum(0.1 if count < 5 else 0.3 if count <= 200 else 0.2 for count in counts)
    most = 0.3 * len(found) + 0.3
    if conclusions:
        points += 0.3
    if len(found) > 1:
        points += 0.4 * tied / len(found)
        most += 0.4
    marked = [response.span(step.start, step.end, "step") for step in found]
    said = f"{len(found)} steps, {tied} of them with a connector."
    return Result(min(1.0, points / most), said, (*marked, *conclusions))


@needs("response")
@reads_english
def logic_consistency(sample: Sample, response: Text) -> Result:
    """1 less penalties for contradictions, steps that do not hang together, lone terms."""
    value = 1.0
    found = []
    for label, match in matches(response, "contradictions"):
        said = match.group().split()
        if not label.startswith("both") or said[1] == said[-1]:
            found.append(response.span(*match.span(), label))
            value -= weights("contradictions")[label]
    concepts = [_concepts(step) for step in steps(response)]
    if len(concepts) > 1:
        shares = [len(a & b) / len(a | b) if a and b else 0.0 for a, b in pairwise(concepts)]
        flow = sum(shares) / len(shares)
        value += 0.1 * (0.2 <= flow <= 0.6) - 0.2 * (flow < 0.1)
    terms = Counter(_TERM.findall(response.text))
    if 2 * list(terms.values()).count(1) > len(terms):
        value -= 0.1
    explanation = f"{len(found)} contradictions, {len(concepts)} steps, {len(terms)} terms."
    return Result(min(1.0, max(0.0, value)), explanation, tuple(found))


def _concepts(step: Step) -> set[str]:
    return {word for word in step.words if len(word) > 4} - {"which"}


def _checks(text: str) -> dict[str, bool]:
    return {
        "has_minimum_length": len(text.strip()) >= 10,
        "is_not_empty": bool(text.strip()),
        "has_no_html_tags": "<" not in text and ">" not in text,
        "ends_properly": text.strip().endswith((".", "!", "?", ":", ";")),
    }


def _last(text: str, label: str) -> list[Span]:
    end = len(text.rstrip())
    return [Span("response", end - 1, end, label)] if end else []


@needs("response")
def response_quality(sample: Sample) -> Result:
    """The share of the checks of form that hold."""
    checks = _checks(sample.response)
    signs = re.finditer("[<>]", sample.response)
    spans = [Span("response", *sign.span(), "has_no_html_tags") for sign in signs]
    if not checks["ends_properly"]:
        spans += _last(sample.response, "ends_properly")
    held = sum(checks.values())
    return Result(held / 4, f"The response holds {held} of 4 checks.", tuple(spans)).limited()


@needs("response")
def response_quality_unicode(sample: Sample) -> Result:
    """The same with real tags and the closing marks of all scripts."""
    response = naive.normalise(sample.response)
    stripped = response.text.strip()
    tags = [match.span() for match in _TAG.finditer(response.text)]
    end = len(stripped)
    while end and (
        stripped[end - 1] in "\"'`*_" or unicodedata.category(stripped[end - 1]) in "Pe Pf Pi"
    ):
        end -= 1
    is_ended = stripped[:end].endswith(tuple(".!?:;…؟۔؛。！？：；।॥։።"))
    spans = [response.span(*tag, "has_no_html_tags_strict") for tag in tags]
    if not is_ended:
        spans += _last(sample.response, "ends_properly_unicode")
    held = (len(stripped) >= 10) + bool(stripped) + (not tags) + is_ended
    return Result(held / 4, f"The response holds {held} of 4 checks.", tuple(spans)).limited()


@needs("response")
def output_validity(sample: Sample) -> Result:
    """The share of the checks of form that hold, in percent."""
    response = sample.response
    checks = _checks(response)
    spans = []
    if not checks["has_minimum_length"] and response.strip():
        begin = len(response) - len(response.lstrip())
        spans.append(Span("response", begin, len(response.rstrip()), "has_minimum_length"))
    signs = list(re.finditer("[<>]", response))[:10]
    spans += [Span("response", *sign.span(), "has_no_html_tags") for sign in signs]
    if not checks["ends_properly"]:
        spans += _last(response, "ends_properly")
    held = sum(checks.values())
    return Result(25.0 * held, f"{held} of 4 checks of its form hold.", tuple(spans))


METRICS: tuple[Rule, ...] = (
    bleu,
    bleu_fallback,
    citation_accuracy,
    citation_support,
    context_intrusion,
    cot_validity,
    exact_match,
    logic_consistency,
    output_validity,
    response_quality,
    response_quality_unicode,
    rouge,
    rouge_unicode,
)
