"""The worst samples in HTML: texts with the evidence marked in place, scores beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from assay.core import Document, Result, Sample, Scores, Summary
from assay.core.jsontext import dumps
from assay.report.evidence import Mark, Segment, marks_of, quoted, segments, text_of
from assay.report.figures import count, limit, number, verdict
from assay.report.markup import Markup, element, join
from assay.report.safe_text import one_line
from assay.report.worst import ranked

COLOURS = 6
"""Of marks; the metrics of a sample take turns."""
SHOWN = 3
"""Results that are shown of a sample even when fewer failed."""
MAX_TEXT = 20_000
"""Characters of one text that are shown."""
MAX_MARKS = 1_000
"""Marks of one text that are shown."""
MAX_LABELS = 5
"""Labels in the title of one mark."""
_TITLES = {
    "query": "Query",
    "response": "Response",
    "expected": "Expected",
    "gold_context": "Gold context",
}
_JSON_TITLES = {"response_json": "Response as JSON", "expected_json": "Expected JSON"}


def worst_samples(summary: Summary) -> Markup:
    """The section of the worst samples, the first of them open."""
    if not summary.worst:
        return Markup()
    shown = len(summary.worst)
    said = f"The {count(shown, 'sample')} with the lowest score" if shown > 1 else "The sample"
    return element(
        "section",
        element("h2", "Worst samples"),
        element("p", f"{said}, of {summary.samples:,}. Marked: what the metrics point at."),
        *(_sample(*entry, is_open=place == 0) for place, entry in enumerate(summary.worst)),
        class_="wide worst",
    )


def _sample(sample: Sample, scores: Scores, is_open: bool) -> Markup:
    pointing = [metric for metric, result in scores.results.items() if result.evidence]
    colours = {metric: place % COLOURS + 1 for place, metric in enumerate(pointing)}
    return element(
        "details",
        _headline(sample, scores),
        element(
            "div",
            element("div", *_texts(sample, scores, colours), class_="texts"),
            element("div", *_results(sample, scores, colours), class_="results"),
            class_="sample",
        ),
        open=is_open,
    )


def _headline(sample: Sample, scores: Scores) -> Markup:
    failed = sum(verdict(result) == "fail" for result in scores.results.values())
    said = f"{failed} failed" if failed else "passes" if scores.passed else ""
    text = one_line(sample.query or sample.response or "", 160)
    return element(
        "summary",
        element("b", number(scores.score)),
        element("span", scores.id, class_="name", dir="auto"),
        _pill("fail" if failed else "pass", said) if said else "",
        element("span", text, class_="about", dir="auto"),
    )


def _texts(sample: Sample, scores: Scores, colours: Mapping[str, int]) -> Iterator[Markup]:
    """Each text that the sample has, under its name."""
    for field, title in _TITLES.items():
        if (text := text_of(sample, field)) is not None:
            yield _text(title, text, marks_of(scores, field), colours)
    for place, document in enumerate(sample.contexts):
        marks = marks_of(scores, f"contexts[{place}]")
        yield _text(_context_title(place, document), document.content, marks, colours)
    for field, title in _JSON_TITLES.items():
        if (value := getattr(sample, field)) is not None:
            text = value if isinstance(value, str) else dumps(value, indent=2)
            yield _text(title, text, (), colours)


def _context_title(place: int, document: Document) -> str:
    page = f"page {document.page}" if document.page is not None else None
    known = [part for part in (document.id, document.source, page) if part]
    return one_line(" · ".join([f"Context {place + 1}", *known]), 160)


def _text(title: str, text: str, marks: Sequence[Mark], colours: Mapping[str, int]) -> Markup:
    shown = text[:MAX_TEXT]
    body = join(_segment(part, colours) for part in segments(shown, marks[:MAX_MARKS]))
    notes = []
    if len(text) > MAX_TEXT:
        notes.append(f"… {len(text) - MAX_TEXT:,} more characters are not shown.")
    if len(marks) > MAX_MARKS:
        notes.append(f"Only the first {MAX_MARKS:,} of {len(marks):,} marks are shown.")
    return join(
        [
            element("h3", title, dir="auto"),
            element("div", body or "(empty)", class_="text" if text else "text none", dir="auto"),
            *(element("p", note, class_="figures") for note in notes),
        ]
    )


def _segment(segment: Segment, colours: Mapping[str, int]) -> str:
    if not segment.marks:
        return segment.text
    labels = [f"{m.metric}: {m.label}" if m.label else m.metric for m in segment.marks]
    labels = list(dict.fromkeys(labels))
    if len(labels) > MAX_LABELS:
        labels = [*labels[:MAX_LABELS], f"and {len(labels) - MAX_LABELS} more"]
    kind = f"c{colours[segment.marks[0].metric]}"
    if len({mark.metric for mark in segment.marks}) > 1:
        kind += " many"
    return element("mark", segment.text, class_=kind, title="; ".join(labels))


def _results(sample: Sample, scores: Scores, colours: Mapping[str, int]) -> Iterator[Markup]:
    """What failed, or else the lowest scores; the others are folded away."""
    entries = ranked(scores)
    failed = sum(verdict(result) in ("fail", "error") for _, result in entries)
    rest = entries[max(failed, SHOWN) :]
    for metric, result in entries[: len(entries) - len(rest)]:
        yield _result(sample, metric, result, colours)
    if rest:
        words = Counter(verdict(result) or "without threshold" for _, result in rest)
        said = ", ".join(f"{amount} {word}" for word, amount in words.items())
        folded = [_result(sample, metric, result, colours) for metric, result in rest]
        yield element("details", element("summary", f"Others: {said}"), *folded, class_="others")


def _result(sample: Sample, metric: str, result: Result, colours: Mapping[str, int]) -> Markup:
    word = verdict(result)
    needs = f"needs {limit(result.threshold, metric)}"
    has_limit = result.threshold is not None and result.state == "ok"
    swatch = element("i", class_=f"swatch c{colours[metric]}") if metric in colours else ""
    return element(
        "div",
        element(
            "p",
            swatch,
            element("span", metric, class_="name", dir="auto"),
            _pill({"N/A": "none"}.get(word, word), word) if word else "",
            element("b", number(result.value, metric)) if result.value is not None else "",
            element("span", needs, class_="figures") if has_limit else "",
        ),
        element("p", result.explanation, class_="explanation", dir="auto"),
        _elsewhere(sample, result),
        class_="result",
    )


def _elsewhere(sample: Sample, result: Result) -> Markup:
    """Evidence in fields that are not shown as text."""
    shown = {*_TITLES, *(f"contexts[{place}]" for place in range(len(sample.contexts)))}
    spans = [span for span in result.evidence if span.field not in shown][:MAX_LABELS]
    said = [f"{span.field}: {quoted(sample, span)}" for span in spans]
    return join(element("p", line, class_="explanation", dir="auto") for line in said)


def _pill(kind: str, said: str) -> Markup:
    return element("span", said, class_=f"pill {kind}")
