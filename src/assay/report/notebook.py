"""Results as notebooks show them: HTML without scripts, every text from data escaped.

Colours are the notebook's own but for the marks, so that light and dark themes both work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise

from assay.core import Aggregate, Result, Sample, Scores, Span, Summary
from assay.core.plain import HALVES
from assay.core.run_comparison import MetricChange, RunComparison
from assay.report.evidence_text import text_of
from assay.report.figures import (
    NO_VALUE,
    count,
    interval,
    limit,
    number,
    percent,
    percent_interval,
    threshold_of,
    unscored,
    verdict,
)
from assay.report.headline import basis, causes, estimates, has_overall, outcome, repeats, some
from assay.report.safe_text import visible
from assay.report.sample_scores import verdict_line
from assay.report.worst import ranked

SHOWN_SAMPLES = 5
SHOWN_TEXT = 2_000
"""Characters of a field that are shown."""
SHOWN_CONTEXTS = 5
FIELDS = ("query", "response", "expected")
_BAD, _GOOD, _DOUBT = "#c62828", "#2e7d32", "#b26a00"
_COLOURS = {"fail": _BAD, "error": _BAD, "pass": _GOOD, "unsure": _DOUBT}
_MARK = "background:#ffe082;color:#000"
_MUTED = "opacity:.7;font-size:90%"
_CELL = "text-align:left;padding:2px 10px;vertical-align:top;white-space:normal"


def report_html(samples: Sequence[Sample], summary: Summary, columns: str = "") -> str:
    """A run: the verdict, the metrics that scored, and the samples to look at with their marks."""
    is_good = summary.passed == summary.judged
    lines = [_title(outcome(summary), _GOOD if is_good and summary.judged else "")]
    figures = [count(summary.samples, "sample")]
    if summary.judged:
        rate = f"pass rate {percent(summary.pass_rate)}"
        figures.insert(0, f"{rate} {percent_interval(summary.pass_rate_interval)}")
    if has_overall(summary):
        figures.append(
            f"mean quality {number(summary.overall)} {interval(summary.overall_interval)}"
        )
    if summary.unread:
        figures.append(f"{count(summary.unread, 'record')} could not be used")
    lines += [
        _note("; ".join(figures)),
        *map(_note, filter(None, (repeats(summary), estimates(summary), causes(summary)))),
    ]
    scored = [a for a in summary.metrics.values() if a.mean is not None]
    deciding = [aggregate for aggregate in scored if aggregate.gates] or scored
    lines.append(_aggregates(deciding))
    others = [f"{a.metric} {number(a.mean, a.metric)}" for a in scored if a not in deciding]
    absent = [a.metric for a in summary.metrics.values() if a.mean is None]
    notes = (("For information", others), ("Not scored", absent))
    lines += [_note(f"{title}: {some(parts)}.") for title, parts in notes if parts]
    lines += [_note(text) for text in (basis(summary), columns) if text]
    by_id = {sample.id: sample for sample in samples}
    doubtful = [scores for _, scores in summary.worst if scores.status in ("failed", "unsure")]
    for scores in doubtful[:SHOWN_SAMPLES]:
        lines.append(_details(scores, by_id.get(scores.id)))
    return _page(lines)


def scores_html(scores: Scores, sample: Sample | None = None) -> str:
    """One sample: the verdict, its texts with marks, and what every metric found."""
    colour = _COLOURS.get(scores.verdict or "", "")
    return _page([_title(verdict_line(scores).rstrip("."), colour), *_sample(scores, sample)])


def comparison_html(comparison: RunComparison) -> str:
    """Two runs: what changed, the worst first."""
    changes = sorted(comparison.metrics, key=lambda change: _ORDER.get(change.verdict, 9))
    verdicts = {
        word: sum(change.verdict == word for change in changes)
        for word in ("worse", "better", "no real change", "too few samples")
    }
    title = "; ".join(f"{amount} {word}" for word, amount in verdicts.items() if amount)
    rows = [_change(change) for change in changes]
    head = ("metric", comparison.a, comparison.b, "difference", "95 % interval", "verdict")
    lines = [_title(title or "Nothing to compare"), _table(head, rows)]
    paired = f"{count(comparison.pairs, 'sample')} paired by {comparison.paired_by}"
    return _page([*lines, _note(f"{paired}; differences are B − A.")])


_ORDER = {"worse": 0, "lower": 1, "higher": 1, "better": 2, "no real change": 3}


def _change(change: MetricChange) -> list[str]:
    colour = {"worse": _BAD, "better": _GOOD}.get(change.verdict, "")
    return [
        _text(change.metric),
        _text(number(change.mean_a, change.metric)),
        _text(number(change.mean_b, change.metric)),
        _text(number(change.difference)),
        _text(interval(change.interval)),
        _coloured(change.verdict, colour),
    ]


def _aggregates(aggregates: Iterable[Aggregate]) -> str:
    rows = [
        [
            _text(a.metric),
            f"<b>{_text(number(a.mean, a.metric))}</b>",
            _text(interval(a.mean_interval)),
            _coloured(
                f"{a.passed:,}/{a.judged:,}" if a.judged else NO_VALUE,
                "" if not a.judged else _GOOD if a.passed == a.judged else _BAD,
            ),
            _text(threshold_of(a)),
            _text(", ".join(unscored(a))),
        ]
        for a in aggregates
    ]
    return _table(("metric", "mean", "95 % interval", "passed", "at", "not scored"), rows)


def _details(scores: Scores, sample: Sample | None) -> str:
    summary = f"<summary><b>{_text(scores.id)}</b> {_text(verdict_line(scores))}</summary>"
    body = "".join(_sample(scores, sample, is_short=True))
    return f'<details open style="margin:6px 0 6px 4px">{summary}{body}</details>'


def _sample(scores: Scores, sample: Sample | None, *, is_short: bool = False) -> list[str]:
    """The texts with what caused low scores marked, and the reasons; in short those that count."""
    entries = [entry for entry in ranked(scores) if entry[1].state != "missing"]
    lines = [_fields(sample, entries)] if sample else []
    if is_short:
        entries = [entry for entry in entries if entry[1].gates and verdict(entry[1]) != "pass"]
    rows = [
        [
            _coloured(verdict(result) or NO_VALUE, _COLOURS.get(verdict(result), "")),
            _text(metric),
            _text(number(result.value, metric)),
            _text("" if result.threshold is None else limit(result.threshold, metric)),
            _text(result.explanation),
        ]
        for metric, result in entries
    ]
    lines.append(_table(("", "metric", "value", "at", "why"), rows))
    absent = [metric for metric, result in scores.results.items() if result.state == "missing"]
    absent = [] if is_short else absent
    return [*lines, _note(f"Not scored: {some(absent)}.")] if absent else lines


def _fields(sample: Sample, entries: Sequence[tuple[str, Result]]) -> str:
    names = [*FIELDS, *(f"contexts[{n}]" for n in range(len(sample.contexts[:SHOWN_CONTEXTS])))]
    blamed = [(m, r) for m, r in entries if r.gates and verdict(r) in ("fail", "unsure")]
    spans = [(metric, span) for metric, result in blamed or entries for span in result.evidence]
    rows = [
        [f"<b>{_text(name)}</b>", marked(text, [(m, s) for m, s in spans if s.field == name])]
        for name in names
        if (text := text_of(sample, name))
    ]
    return _table((), rows)


def marked(text: str, spans: Sequence[tuple[str, Span]]) -> str:
    """The text with the evidence of metrics marked; what marks a place is told on pointing at it.

    Marks may overlap; what is cut off is said.
    """
    shown = min(len(text), SHOWN_TEXT)
    ends = {0, shown}
    for _, span in spans:
        ends |= {max(0, min(shown, span.start)), max(0, min(shown, span.end))}
    places = sorted(ends)
    parts = []
    for start, end in pairwise(places):
        causes = [
            f"{metric}: {span.label}" if span.label else metric
            for metric, span in spans
            if span.start < end and span.end > start
        ]
        part = _text(text[start:end])
        title = escape("; ".join(dict.fromkeys(map(visible, causes))), quote=True)
        parts.append(f'<mark style="{_MARK}" title="{title}">{part}</mark>' if causes else part)
    rest = len(text) - shown
    cut = f' <span style="{_MUTED}">… {rest:,} more characters</span>' if rest else ""
    return f'<span dir="auto" style="white-space:pre-wrap">{"".join(parts)}</span>{cut}'


def _text(text: str) -> str:
    return escape(HALVES.sub("\ufffd", visible(text)), quote=True)


def _coloured(text: str, colour: str) -> str:
    return f'<b style="color:{colour}">{_text(text)}</b>' if colour else _text(text)


def _title(text: str, colour: str = "") -> str:
    style = f"font-size:120%;font-weight:600;margin:2px 0{f';color:{colour}' if colour else ''}"
    return f'<div style="{style}">{_text(text)}.</div>'


def _note(text: str) -> str:
    return f'<div style="{_MUTED}" dir="auto">{_text(text)}</div>'


def _table(head: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are HTML already."""
    heading = "".join(f'<th style="{_CELL}">{_text(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{cell}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    first = f"<thead><tr>{heading}</tr></thead>" if heading else ""
    return f'<table style="margin:6px 0">{first}<tbody>{body}</tbody></table>' if body else ""


def _page(lines: Iterable[str]) -> str:
    return f'<div class="assay">{"".join(lines)}</div>'
