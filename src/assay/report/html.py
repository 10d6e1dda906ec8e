"""The report as one HTML file that asks nothing of anyone: no script, no font, no request."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from assay import registry
from assay.core import Aggregate, Range, Summary
from assay.report.charts import histogram, mean_bar, rate_bar
from assay.report.figures import (
    NO_VALUE,
    count,
    interval,
    limit,
    number,
    percent,
    percent_interval,
    unscored,
)
from assay.report.html_samples import worst_samples
from assay.report.markup import Markup, element, join
from assay.version import __version__

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The browser's own guard: even if markup slipped through, it could load and run nothing."""


def html_page(summary: Summary) -> str:
    """The whole page."""
    body = element(
        "body",
        element(
            "main",
            element("header", element("h1", "Assay report"), _hero(summary)),
            _metrics(summary),
            worst_samples(summary),
            element("footer", f"Made by Assay {__version__}; no data left this machine."),
        ),
    )
    return f"<!doctype html>\n{element('html', _head(), body, lang='en')}\n"


def _head() -> Markup:
    css = (files("assay.report") / "report.css").read_text(encoding="utf-8")
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", "Assay report"),
        element("style", Markup(f"\n{css}")),
    )


def _hero(summary: Summary) -> Markup:
    return element("div", _overall(summary), _pass_rate(summary), _counts(summary), class_="hero")


def _card(title: str, big: str, *rest: str) -> Markup:
    return element("section", element("h2", title), element("p", big, class_="big"), *rest)


def _overall(summary: Summary) -> Markup:
    if summary.overall is None:
        return _card("Overall score", NO_VALUE, element("p", "No sample has a score."))
    bar = mean_bar(summary.overall, summary.overall_interval, None, (0, 1), "Overall score, 0 to 1")
    said = "Mean quality of the samples, from 0 to 1."
    return _card("Overall score", number(summary.overall), bar, _ends(summary), element("p", said))


def _ends(summary: Summary) -> Markup:
    if summary.overall_interval is None:
        return Markup()
    return element("p", f"95 % interval {interval(summary.overall_interval)}", class_="figures")


def _pass_rate(summary: Summary) -> Markup:
    if summary.pass_rate is None:
        said = "No metric of this run has a threshold."
        return _card("Pass rate", NO_VALUE, element("p", said))
    ends = f"95 % interval {percent_interval(summary.pass_rate_interval)}"
    said = f"{summary.passed:,} of {count(summary.judged, 'sample')} pass every threshold."
    return _card(
        "Pass rate",
        percent(summary.pass_rate),
        rate_bar(summary.pass_rate, said),
        element("p", ends, class_="figures"),
        element("p", said),
    )


def _counts(summary: Summary) -> Markup:
    unread = (
        f"{count(summary.unread, 'record')} could not be read."
        if summary.unread
        else "Every record was read."
    )
    errors = (
        f"{count(summary.errors, 'score')} failed to compute."
        if summary.errors
        else "No score failed to compute."
    )
    return _card(
        "Samples",
        f"{summary.samples:,}",
        element("p", unread, class_="warning" if summary.unread else None),
        element("p", errors, class_="warning" if summary.errors else None),
        _problems(summary),
    )


def _problems(summary: Summary) -> Markup:
    if not summary.problems:
        return Markup()
    items = [element("li", problem, dir="auto") for problem in summary.problems]
    if more := summary.unread - len(summary.problems):
        items.append(element("li", f"… and {more:,} more."))
    return element(
        "details", element("summary", "Why records were not read"), element("ul", *items)
    )


def _metrics(summary: Summary) -> Markup:
    if not summary.metrics:
        return Markup()
    header = ("Metric", "Mean", "Quality, worst to best", "Pass rate", "Samples")
    head = element("tr", *(element("th", title, scope="col") for title in header))
    return element(
        "section",
        element("h2", "Metrics"),
        element(
            "table",
            element("thead", head),
            *(_family(*entry) for entry in _families(summary).items()),
            class_="metrics",
        ),
        class_="wide",
    )


def _families(summary: Summary) -> dict[str, list[Aggregate]]:
    families: dict[str, list[Aggregate]] = {}
    for aggregate in summary.metrics.values():
        families.setdefault(aggregate.metric.partition(".")[0], []).append(aggregate)
    return families


def _family(family: str, aggregates: Iterable[Aggregate]) -> Markup:
    title = element("th", family, colspan=5, scope="rowgroup", dir="auto")
    return element("tbody", element("tr", title, class_="family"), *map(_metric, aggregates))


def _metric(aggregate: Aggregate) -> Markup:
    return element(
        "tr",
        element("th", _name(aggregate), scope="row"),
        _cell("Mean", _mean(aggregate)),
        _cell("Quality, worst to best", _distribution(aggregate)),
        _cell("Pass rate", _passing(aggregate)),
        _cell("Samples", _samples(aggregate)),
    )


def _cell(label: str, content: Markup) -> Markup:
    return element("td", element("span", label, class_="label"), content)


def _name(aggregate: Aggregate) -> Markup:
    known = registry.metrics().get(aggregate.metric)
    parts = [element("span", aggregate.metric, class_="name", dir="auto")]
    if known:
        parts.append(element("span", known.summary.replace("`", ""), class_="about"))
    if aggregate.signature:
        signature = element("code", aggregate.signature, dir="auto")
        parts.append(element("details", element("summary", "Signature"), signature))
    return join(parts)


def _mean(aggregate: Aggregate) -> Markup:
    if aggregate.mean is None:
        return _none("no score")
    ends = f"95 % {interval(aggregate.mean_interval)}" if aggregate.mean_interval else ""
    value = number(aggregate.mean, aggregate.metric)
    bar = mean_bar(
        aggregate.mean,
        aggregate.mean_interval,
        aggregate.threshold,
        _scale(aggregate),
        f"{value}; {ends}",
    )
    return join([element("b", value), bar, _figures(ends)])


def _scale(aggregate: Aggregate) -> Range:
    """The metric's range; a metric that is not installed is drawn from 0 to 1 if it fits."""
    if known := registry.metrics().get(aggregate.metric):
        return known.range
    ends = (aggregate.minimum, aggregate.maximum)
    fits = all(end is not None and 0 <= end <= 1 for end in ends)
    return (0.0, 1.0) if fits and aggregate.distribution else (None, None)


def _distribution(aggregate: Aggregate) -> Markup:
    bins = aggregate.distribution
    if not any(bins):
        return _none("no scale" if aggregate.scored else "no score")
    size = len(bins)
    listed = [
        f"{place / size:.2f}–{(place + 1) / size:.2f}: {amount:,}"
        for place, amount in enumerate(bins)
        if amount
    ]
    return histogram(bins, ", ".join(listed))


def _passing(aggregate: Aggregate) -> Markup:
    if aggregate.pass_rate is None:
        return _none("no threshold" if aggregate.threshold is None else "nothing to judge")
    said = f"{aggregate.passed:,} of {aggregate.judged:,}"
    if aggregate.threshold is not None:
        said += f" at {limit(aggregate.threshold, aggregate.metric)}"
    rate = element("b", percent(aggregate.pass_rate))
    return join([rate, rate_bar(aggregate.pass_rate, said), _figures(said)])


def _samples(aggregate: Aggregate) -> Markup:
    parts = [element("b", f"{aggregate.scored:,}"), " scored"]
    if states := unscored(aggregate):
        kind = "figures warning" if aggregate.errors else "figures"
        parts.append(element("span", " · ".join(states), class_=kind))
    parts += [
        element("span", f"{amount:,} × {reason}", class_="reason", dir="auto")
        for reason, amount in aggregate.reasons.items()
    ]
    return join(parts)


def _figures(said: str) -> Markup:
    return element("span", said, class_="figures") if said else Markup()


def _none(why: str) -> Markup:
    return element("span", why, class_="none")
