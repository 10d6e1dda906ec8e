"""A summary in Markdown, fit for a comment on a pull request.

Text from data is written with character references, which no reader of Markdown takes for
markup; names of people and issues in it notify nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from assay.core import Aggregate, GateVerdict, Summary
from assay.report import gate_lines
from assay.report.figures import (
    NO_VALUE,
    count,
    interval,
    number,
    percent,
    percent_interval,
    threshold_of,
)
from assay.report.headline import basis, causes, estimates, repeats, retries, standing
from assay.report.safe_text import one_line
from assay.report.worst import reasons

WORST = 5
"""Samples shown with their reasons."""
_HEADER = (
    "metric",
    "mean",
    "95 % interval",
    "pass rate",
    "passed",
    "threshold",
    "decides",
    "scored",
    "N/A",
    "imputed",
    "errors",
)
_SPECIAL = re.compile(r"[\\`*_\[\]<>#|~&@$^{}]|:(?=[/\w])|(?<=[wW]{3})\.")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.:/-]+")
_WORD_JOINER = "\u2060"
"""Invisible; after `@` and `#` it keeps a code host from linking and notifying."""


def markdown_page(summary: Summary) -> str:
    """The whole page."""
    parts = [
        _headline(summary),
        _gates(summary.gates),
        _table(summary.metrics.values()),
        _worst(summary),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def escape(text: str, limit: int = 200) -> str:
    """Text from data as one line of Markdown that shows exactly that text."""
    return _SPECIAL.sub(_reference, one_line(text, limit))


def _reference(match: re.Match[str]) -> str:
    char = match.group()
    return f"&#{ord(char)};{_WORD_JOINER if char in '@#' else ''}"


def code(name: str) -> str:
    """A name as code where that is safe, else as text."""
    return f"`{name}`" if _PLAIN_NAME.fullmatch(name) else escape(name)


def row(cells: Iterable[str]) -> str:
    """One line of a table."""
    return f"| {' | '.join(cells)} |"


def table(header: Iterable[str], rows: Iterable[Iterable[str]], right: int = 0) -> str:
    """A table whose last `right` columns hold numbers."""
    header = list(header)
    rule = ["---"] * (len(header) - right) + ["---:"] * right
    return "\n".join(row(cells) for cells in (header, rule, *rows))


def _headline(summary: Summary) -> str:
    lines = [f"## Assay: mean quality {number(summary.overall)}", ""]
    if summary.overall_interval:
        lines.append(f"95 % interval {interval(summary.overall_interval)}.")
    if summary.judged:
        lines.append(
            f"**{summary.passed:,} of {count(summary.judged, 'sample')} pass**: "
            f"{percent(summary.pass_rate)}, 95 % interval "
            f"{percent_interval(summary.pass_rate_interval)}."
        )
    lines.append(f"{count(summary.samples, 'sample')} scored: {standing(summary)}.")
    lines += [
        escape(line, 500)
        for part in (repeats, retries, estimates, causes, basis)
        if (line := part(summary))
    ]
    if summary.selection:
        lines.append(f"{escape(summary.selection, 1000)}.")
    if summary.unread:
        lines.append(f"**{count(summary.unread, 'record')} could not be used.**")
    if summary.errors:
        lines.append(f"**{count(summary.errors, 'score')} failed to compute.**")
    return "\n".join(lines)


def _gates(verdicts: Sequence[GateVerdict]) -> str:
    """Those that fail first, then those that are not sure."""
    if not verdicts:
        return ""
    ordered = sorted(verdicts, key=lambda verdict: (verdict.passes, verdict.state == "holds"))
    rows = [
        (gate_lines.word(v), escape(v.gate), escape(gate_lines.reason(v), 500)) for v in ordered
    ]
    return f"**{gate_lines.counts(verdicts)}.**\n\n{table(('', 'gate', 'found'), rows)}"


def _table(aggregates: Iterable[Aggregate]) -> str:
    rows = [
        (
            code(a.metric),
            number(a.mean, a.metric),
            interval(a.mean_interval),
            percent(a.pass_rate),
            f"{a.passed:,}/{a.judged:,}" if a.judged else NO_VALUE,
            threshold_of(a) or NO_VALUE,
            "yes" if a.gates else "informational",
            *(f"{amount:,}" for amount in (a.scored, a.missing, a.imputed, a.errors)),
        )
        for a in aggregates
    ]
    return table(_HEADER, rows, right=len(_HEADER) - 1) if rows else ""


def _worst(summary: Summary) -> str:
    if not summary.worst:
        return ""
    lines = ["### Worst samples", ""]
    for place, (sample, scores) in enumerate(summary.worst[:WORST], 1):
        lines.append(f"{place}. {code(scores.id)}: {number(scores.score)}")
        for reason in reasons(sample, scores):
            quotes = "".join(f" “{escape(words)}”" for words in reason.snippets)
            explanation = escape(reason.explanation, 300)
            lines.append(f"   - {code(reason.metric)} {reason.finding}: {explanation}{quotes}")
    return "\n".join(lines)
