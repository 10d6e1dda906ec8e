"""The page of a metric and of a family, in Markdown, made from what is declared."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from assay import registry
from assay.core import Metric, Rule, Sample
from assay.core.jsontext import dumps
from assay.data import lexicon
from assay.data.gating import gates, standing
from assay.data.measured_agreement import MeasuredAgreement, measured
from assay.data.other_names import other_names
from assay.report.cases import Case, read_cases
from assay.report.figures import count, percent
from assay.report.markdown import code, escape, table
from assay.report.safe_text import visible

OWN = "assay.metrics."
"""Where our own metrics live; others have no source in this repository."""
BLIND_SPOTS = "Blind spots: "
"""How the paragraph of a docstring begins that says what the metric does not see."""
BADGES = """In the evidence column, sets are public sets with labels, and "ahead" means better than
chance and than every baseline. Metrics in **bold** decide passes by default, the others are
informational."""
_STATISTICS = {"auroc": "AUROC", "spearman": "Spearman"}
_SAMPLE_FIELDS = frozenset(field.name for field in fields(Sample))
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neutral": "neither"}


def metric_page(metric: Metric, example: str = "") -> str:
    """All that there is to know about one metric; `example` is a scored one with its marks."""
    rule, blind_spots = _split(metric.documentation)
    parts = [
        f"# {metric.id}",
        rule,
        _names(metric),
        f"## Example\n\n{example}" if example else "",
        f"## Blind spots\n\n{blind_spots}" if blind_spots else "",
        _evidence(metric),
        "## Properties",
        _declared(metric),
        _options(metric.options),
        _reads(metric),
        _data(metric),
        _examples(read_cases(metric)),
        _source(metric),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def family_page(family: str, metrics: Iterable[Metric], rules: Iterable[Rule]) -> str:
    """What a family is, and a table of its metrics by group."""
    groups: dict[str, list[Metric]] = {}
    for metric in metrics:
        groups.setdefault(metric.group, []).append(metric)
    parts = [f"# {family}", _package_text(family), BADGES]
    for group in sorted(groups):
        if group:
            parts += [f"## {family}.{group}", _package_text(f"{family}.{group}")]
        parts.append(_metrics_table(groups[group]))
    if listed := [(code(rule.id), _first_line(rule.function)) for rule in rules]:
        parts += [
            "## Rules",
            "Steps of a metric's rule that `assay verify` can check separately.",
            table(("rule", "what it is"), listed),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def index_page(families: Mapping[str, Iterable[Metric]]) -> str:
    """All families."""
    rows = [
        (
            f"[{family}]({family}/index.md)",
            _package_text(family).partition("\n")[0],
            str(len(list(metrics))),
        )
        for family, metrics in families.items()
    ]
    text = "Every metric has a page with its rule, inputs, blind spots and worked examples."
    return f"# Metrics\n\n{text}\n\n{table(('family', 'what it is', 'metrics'), rows, right=1)}\n"


def _split(documentation: str) -> tuple[str, str]:
    """The rule, and the paragraph that says what it does not see."""
    paragraphs = documentation.split("\n\n")
    limits = [text.removeprefix(BLIND_SPOTS) for text in paragraphs if text.startswith(BLIND_SPOTS)]
    rule = "\n\n".join(text for text in paragraphs if not text.startswith(BLIND_SPOTS))
    return rule, "\n\n".join(text[:1].upper() + text[1:] for text in limits)


def _names(metric: Metric) -> str:
    """Other names, so that readers and the search of the site find the page by them."""
    parts = [f"Aliases: {_list(metric.aliases)}."] if metric.aliases else []
    others = {
        name: name.replace("_", " ") for name, ids in other_names().items() if metric.id in ids
    }
    if others:
        words = [f"`{name}`" if "_" in name else name for name in others]
        words += [spaced for name, spaced in others.items() if "_" in name]
        parts.append(f"In other tools: {', '.join(words)}.")
    return " ".join(parts)


def _evidence(metric: Metric) -> str:
    """The card: how well the metric ranks labelled records, beside the best baseline."""
    rows = [
        (
            escape(one.question, 500),
            f"`{one.set}`, {one.records:,} records",
            f"{_STATISTICS[one.statistic]} {_figure(one.value, one.interval)}",
            _best_rule(one),
            "yes" if one.is_ahead else "no",
        )
        for one in measured(metric.id)
    ]
    if not rows:
        return ""
    header = ("question", "labelled set", "measured", "minus the best baseline", "ahead")
    lines = [f"## Evidence\n\n{_effect(metric)}", table(header, rows)]
    lines += [
        f"Of {count(alarms.records, 'harmless look-alike')} in `{one.set}` it reports "
        f"{percent(alarms.rate)}."
        for one in measured(metric.id)
        if (alarms := one.false_alarms)
    ]
    return "\n\n".join(lines)


def _effect(metric: Metric) -> str:
    """What follows from the evidence."""
    if metric.exact:
        return "An exact check: it decides passes without evidence."
    if gates(metric):
        return "It beats the baselines, so it decides passes by default."
    return "It does not beat the baselines, or is below chance on a set: informational by default."


def _figure(value: float, interval: tuple[float, float]) -> str:
    return f"{value:.2f} [{interval[0]:.2f}, {interval[1]:.2f}]"


def _best_rule(one: MeasuredAgreement) -> str:
    """The difference from the nearest baseline."""
    if not one.rules:
        return ""
    name, difference = min(one.rules.items(), key=lambda pair: pair[1].value)
    ends = f"[{difference.low:+.2f}, {difference.high:+.2f}]"
    return f"{difference.value:+.2f} {ends} (`{name}`)"


def _badge(metric: Metric) -> str:
    """What its evidence comes to, in a few words; bold where it decides passes."""
    sets = measured(metric.id)
    ahead = sum(one.is_ahead for one in sets)
    words = f"ahead on {ahead} of {count(len(sets), 'set')}" if sets else "not measured"
    if metric.exact:
        words = "exact check"
    return f"**{words}**" if gates(metric) else words


def _package_text(name: str) -> str:
    return inspect.getdoc(import_module(f"{OWN}{name}")) or ""


def _first_line(function: Any) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]


def _metrics_table(metrics: Iterable[Metric]) -> str:
    rows = [
        (
            f"[{metric.name}]({metric.name}.md)",
            metric.summary.replace("|", "\\|"),
            _needs(metric),
            _scale(metric),
            _badge(metric),
        )
        for metric in metrics
    ]
    return table(("metric", "what it measures", "needs", "scale", "evidence"), rows)


def _scale(metric: Metric) -> str:
    """Range, better end and threshold in a few words."""
    better = "" if metric.polarity == "neutral" else f", {_BETTER[metric.polarity]}"
    passes = f"; passes at {_threshold(metric)}" if metric.threshold is not None else ""
    return f"{_range(metric)}{better}{passes}"


def _declared(metric: Metric) -> str:
    rows = [
        ("inputs", _needs(metric)),
        ("range", _range(metric)),
        ("unit", metric.unit),
        ("polarity", _BETTER[metric.polarity]),
        ("threshold", _threshold(metric)),
        ("by default", standing(metric)),
        ("version", str(metric.version)),
        ("tags", _list(f"@{tag}" for tag in metric.tags)),
    ]
    return table(("property", "value"), [(name, value or "none") for name, value in rows])


def _needs(metric: Metric) -> str:
    """What a sample must have; a metric without inputs of its own takes what it can read."""
    if metric.inputs:
        return _list(metric.inputs)
    if metric.is_composite:
        return "the scores of other metrics"
    return f"some of {_list(registry.fields_read(metric))}"


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _range(metric: Metric) -> str:
    low, high = metric.range
    if low is None or high is None:
        known = low if high is None else high
        if known is None:
            return "any number"
        return f"{known:g} and {'up' if high is None else 'down'}"
    return f"{low:g} to {high:g}"


def _threshold(metric: Metric) -> str:
    if metric.threshold is None:
        return ""
    return f"{metric.threshold:g} or {'less' if metric.polarity == 'lower' else 'more'}"


def _options(options: Mapping[str, Any]) -> str:
    if not options:
        return ""
    rows = [(f"`{name}`", escape(repr(default), 1000)) for name, default in options.items()]
    return f"## Options\n\n{table(('option', 'default'), rows)}"


def _reads(metric: Metric) -> str:
    """The sample fields and features that the function takes."""
    if metric.is_composite:
        return "## Inputs\n\nThe scores of the metrics that its option `metrics` names."
    known = registry.features()
    rows = [
        (f"`{name}`", "the sample's field" if name in _SAMPLE_FIELDS else _feature(known, name))
        for name in metric.parameters
    ]
    return f"## Inputs\n\n{table(('field or feature', 'what it is'), rows)}"


def _feature(known: Mapping[str, Any], name: str) -> str:
    return escape(_first_line(known[name].function)) if name in known else ""


def _data(metric: Metric) -> str:
    """The word lists and pattern sets whose hits it reads."""
    if not metric.lexicons:
        return ""
    rows = [
        (
            f"`{data_file.name}`",
            escape(data_file.title),
            count(len(data_file.patterns), "entry", "entries"),
            escape(data_file.language),
            escape(data_file.source),
            escape(data_file.licence),
            f"`{data_file.fingerprint}`",
        )
        for data_file in map(lexicon, metric.lexicons)
    ]
    header = ("file", "contents", "size", "language", "source", "licence", "fingerprint")
    return f"## Data files\n\n{table(header, rows)}"


def _examples(cases: Iterable[Case]) -> str:
    blocks = [_example(case) for case in cases]
    return "\n\n".join(["## Examples", *blocks]) if blocks else ""


def _example(case: Case) -> str:
    given = [f"{name} = {_literal(value)}" for name, value in case.fields.items()]
    given += [f"option {name} = {_literal(value)}" for name, value in case.options.items()]
    text = "\n".join([*given, f"→ {_expected(case)}"])
    longest = max(map(len, re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{escape(case.why[:1].upper() + case.why[1:])}\n\n{fence}text\n{text}\n{fence}"


def _literal(value: Any) -> str:
    return visible(dumps(value))


def _expected(case: Case) -> str:
    parts = []
    if case.value is not None:
        parts.append(f"{case.value:g}")
    if case.state != "ok":
        parts.append({"missing": "N/A"}.get(case.state, case.state))
    if case.passed is not None:
        parts.append("passes" if case.passed else "fails")
    if case.evidence is not None:
        parts.append(f"evidence: {', '.join(map(_literal, case.evidence)) or 'none'}")
    return "; ".join(parts)


def _source(metric: Metric) -> str:
    module = metric.module
    if not module.startswith(OWN):
        return f"Source: the module {code(module)}."
    path = f"src/{module.replace('.', '/')}.py"
    return f"Source: `{path}`"
