"""The evidence as Markdown, one card a metric, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assay.core import DataError, Interval
from assay.core.atomic_file import write_file
from assay.core.jsontext import dumps
from assay.data.measured_agreement import CHANCE, Decision
from assay.evidence.measure import Finding, SetMeasurement
from assay.report.figures import NO_VALUE, count, interval, number, percent, percent_interval
from assay.report.markdown import code, escape, table
from assay.report.safe_text import one_line
from assay.stats.intervals import Estimate
from assay.version import __version__

NAMES = {"auroc": "AUROC", "spearman": "Spearman"}
"""What a statistic is called."""
HEADER = """# What the metrics were measured to be worth: agreement with labelled public sets.
# Written by `make evidence`. `rules` holds metric minus baseline: the difference and its 95 %
# interval; docs/reference/evidence-figures.md is made from this file.

"""
STATES = {"missing": "N/A", "imputed": "imputed", "error": "failed"}
"""What a record without a score of its own is called, by the state of its result."""


def findings_json(findings: Sequence[Finding], seed: int) -> dict[str, Any]:
    """All findings as plain data."""
    return {
        "assay": __version__,
        "seed": seed,
        "findings": [finding.to_json() for finding in findings],
    }


def write_cards(findings: Sequence[Finding], folder: Path, seed: int) -> list[Path]:
    """Write a card a metric or probe, and all findings as Markdown, JSON and TOML; the paths."""
    names = dict.fromkeys(one.name for finding in findings for one in finding.measured)
    texts = {f"{name}.md": card(name, findings, seed) for name in names}
    texts["index.md"] = overview(findings)
    texts["evidence.json"] = dumps(findings_json(findings, seed), indent=2) + "\n"
    texts["measured.toml"] = findings_toml(findings)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot write to {str(folder)!r}: {error.strerror}") from None
    for name, text in texts.items():
        write_file(folder / name, text)
    return [folder / name for name in texts]


def card(name: str, findings: Sequence[Finding], seed: int) -> str:
    """What is known of one metric or probe, as a page."""
    own = [(finding, one) for finding in findings for one in finding.measured if one.name == name]
    parts = [
        f"# Evidence for {code(name)}",
        "Agreement with labelled data, beside baselines. Square brackets hold 95 % intervals; "
        f"groups of records were drawn with replacement (seed {seed}). Differences are over the "
        "records that both have scored.",
    ]
    for title in dict.fromkeys(finding.experiment.title for finding, _ in own):
        rows = [(finding, one) for finding, one in own if finding.experiment.title == title]
        parts += [f"## {escape(title)}", _table(rows), _sentences(rows), _notes(rows)]
    signatures = dict.fromkeys(one.signature for _, one in own if one.signature)
    parts += [
        f"Signature:\n\n```text\n{one_line(signature, 1000)}\n```" for signature in signatures
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def overview(findings: Sequence[Finding]) -> str:
    """All findings by experiment; a figure ahead of chance and of every baseline is bold."""
    parts = ["# Evidence"]
    for title in dict.fromkeys(finding.experiment.title for finding in findings):
        own = [finding for finding in findings if finding.experiment.title == title]
        names = [baseline.name for baseline in own[0].baselines]
        header = [
            *("set", "measured", NAMES[own[0].experiment.statistic]),
            *(f"− {code(name)}" for name in names),
            "not scored",
        ]
        rows = [row for finding in own for row in _overview_rows(finding)]
        parts += [f"## {escape(title)}", table(header, rows)]
    return "\n\n".join(parts) + "\n"


def findings_toml(findings: Sequence[Finding]) -> str:
    """The findings on metrics and baselines in the form of the bundled `measured.toml`."""
    tables = [
        *(_set_lines(finding) for finding in findings),
        *(_rule_lines(finding, rule) for finding in findings for rule in finding.baselines),
        *(_finding_lines(finding, one) for finding in findings for one in finding.measured),
    ]
    return HEADER + "\n".join("\n".join([*lines, ""]) for lines in map(list, tables) if lines)


def _set_lines(finding: Finding) -> Iterator[str]:
    """How much there was to measure with."""
    yield "[[set]]"
    yield f"question = {_quoted(finding.experiment.title)}"
    yield f"set = {_quoted(finding.labelled_set.name)}"
    yield f"records = {len(finding.read.labelled)}"
    yield f"positives = {finding.to_json()['positives']}"
    yield f"groups = {finding.groups}"


def _rule_lines(finding: Finding, rule: SetMeasurement) -> Iterator[str]:
    if rule.ranking.value is not None and rule.ranking.interval:
        yield "[[rule]]"
        yield from _ranking_lines(finding, rule, "rule")


def _finding_lines(finding: Finding, one: SetMeasurement) -> Iterator[str]:
    if one.kind != "metric" or one.ranking.value is None or not one.ranking.interval:
        return
    yield "[[finding]]"
    yield from _ranking_lines(finding, one, "metric")
    yield f"is_ahead = {str(_is_ahead(finding, one)).lower()}"
    yield f"is_held_out = {str(one.is_held_out).lower()}"
    compared = {b.name: finding.differences[one.name, b.name] for b in finding.baselines}
    rules = ", ".join(
        f"{name} = [{finding_lines.value:.3f}, {finding_lines.interval.low:.3f}, "
        f"{finding_lines.interval.high:.3f}]"
        for name, finding_lines in compared.items()
        if finding_lines.value is not None and finding_lines.interval
    )
    yield f"rules = {{ {rules} }}"
    if one.unscored:
        unscored = ", ".join(f"{state} = {amount}" for state, amount in one.unscored.items())
        yield f"unscored = {{ {unscored} }}"
    if (alarms := one.false_alarms) and alarms.rate.value is not None and alarms.rate.interval:
        rate, (low, high) = alarms.rate.value, alarms.rate.interval
        yield (
            f"false_alarms = {{ records = {alarms.records}, rate = {rate:.3f}, "
            f"low = {low:.3f}, high = {high:.3f} }}"
        )
    for language, decision in one.decisions.items():
        figures = ", ".join(
            f"{name} = {value:.3f}" if isinstance(value, float) else f"{name} = {value}"
            for name, value in asdict(decision).items()
            if value is not None
        )
        yield f"decisions.{_quoted(language)} = {{ {figures} }}"


def _ranking_lines(finding: Finding, one: SetMeasurement, kind: str) -> Iterator[str]:
    yield f"{kind} = {_quoted(one.name)}"
    yield f"question = {_quoted(finding.experiment.title)}"
    yield f"set = {_quoted(finding.labelled_set.name)}"
    yield f"records = {one.scored}"
    yield f"statistic = {_quoted(one.statistic)}"
    yield f"value = {one.ranking.value:.3f}"
    yield f"interval = {_ends(one.ranking.interval)}"


def _quoted(text: str) -> str:
    return dumps(text)


def _ends(ends: Interval | None) -> str:
    assert ends is not None
    return f"[{ends.low:.3f}, {ends.high:.3f}]"


def _overview_rows(finding: Finding) -> Iterator[list[str]]:
    size = _size(finding)
    for one in (*finding.measured, *finding.baselines):
        is_baseline = one.kind == "baseline"
        differences = [
            finding.differences.get((one.name, other.name)) for other in finding.baselines
        ]
        figure = estimate(one.ranking)
        yield [
            size,
            one.name if is_baseline else code(one.name),
            f"**{figure}**" if not is_baseline and _is_ahead(finding, one) else figure,
            *("" if between is None else difference(between) for between in differences),
            unscored(one),
        ]
        size = ""


def _size(finding: Finding) -> str:
    """How much there was to measure with."""
    labelled = finding.read.labelled
    positives = int(sum(one.label for one in labelled))
    positive = f", {positives:,} positive" if finding.experiment.positive else ""
    name = code(finding.labelled_set.name)
    return f"{name}: {count(len(labelled), 'record')}{positive}, {count(finding.groups, 'group')}"


def _is_ahead(finding: Finding, one: SetMeasurement) -> bool:
    """Whether it is ahead of chance and of every baseline."""
    levels = [(one.ranking.interval, CHANCE[one.statistic])]
    levels += [(finding.differences[one.name, b.name].interval, 0.0) for b in finding.baselines]
    return all(ends is not None and ends.low > level for ends, level in levels)


def estimate(figure: Estimate) -> str:
    """A figure with its interval."""
    return (
        f"{number(figure.value)} {interval(figure.interval)}"
        if figure.value is not None
        else NO_VALUE
    )


def difference(figure: Estimate) -> str:
    """A signed figure with its interval."""
    if figure.value is None:
        return NO_VALUE
    if figure.interval is None:
        return signed(figure.value)
    low, high = figure.interval
    return f"{signed(figure.value)} [{signed(low)}, {signed(high)}]"


def signed(value: float) -> str:
    """A number with its sign."""
    return f"{value:+.3f}".replace("-", "−")


def unscored(one: SetMeasurement) -> str:
    """How many records have no score of their own, by kind."""
    kinds = [f"{amount:,}\u00a0{STATES[state]}" for state, amount in one.unscored.items()]
    return ", ".join(kinds) or "0"


def _table(rows: Sequence[tuple[Finding, SetMeasurement]]) -> str:
    finding, first = rows[0]
    names = [baseline.name for baseline in finding.baselines]
    header = [
        *("set", "records", "positive", "groups", NAMES[first.statistic], "not scored"),
        *(code(name) for name in names),
        *(f"minus {code(name)}" for name in names),
    ]
    cells = [
        [
            code(finding.labelled_set.name),
            f"{one.records:,}",
            f"{finding.to_json()['positives']:,}" if one.statistic == "auroc" else NO_VALUE,
            f"{finding.groups:,}",
            estimate(one.ranking),
            unscored(one),
            *(estimate(baseline.ranking) for baseline in finding.baselines),
            *(difference(finding.differences[one.name, name]) for name in names),
        ]
        for finding, one in rows
    ]
    return table(header, cells, right=len(header) - 1)


def _sentences(rows: Sequence[tuple[Finding, SetMeasurement]]) -> str:
    """What the intervals say, set by set."""
    return "\n".join(
        f"- {code(finding.labelled_set.name)}: {'; '.join(_verdicts(finding, one))}."
        for finding, one in rows
    )


def _verdicts(finding: Finding, one: SetMeasurement) -> Iterator[str]:
    """Beside chance first: to be ahead of a rule that points the wrong way is no merit."""
    yield f"{_standing(one.ranking.interval, CHANCE[one.statistic])} chance"
    for baseline in finding.baselines:
        ends = finding.differences[one.name, baseline.name].interval
        yield f"{_standing(ends, 0.0)} {code(baseline.name)}"


def _standing(ends: Interval | None, level: float) -> str:
    """Where an interval lies beside a level, in words."""
    if ends is None:
        return "not comparable with"
    is_ahead, is_behind = ends.low > level, ends.high < level
    return "ahead of" if is_ahead else "behind" if is_behind else "not told apart from"


def _notes(rows: Sequence[tuple[Finding, SetMeasurement]]) -> str:
    """What the labels mean and who made them; what the threshold does; what was not scored."""
    lines = []
    for finding, one in rows:
        chosen, read = finding.labelled_set, finding.read
        message = [f"{code(chosen.name)} ({escape(finding.file)}): {escape(chosen.label)}"]
        message += [f"labels by {escape(chosen.labelled_by)}"] if chosen.labelled_by else []
        message += [f"from {escape(chosen.source)}"] if chosen.source else []
        message += [f"licence {escape(chosen.licence)}"] if chosen.licence else []
        message += [
            f"{percent(rate.value)} {percent_interval(rate.interval)} of {kind} records pass the "
            "threshold"
            for kind, rate in one.passed.items()
        ]
        message += [_decided(language, notes) for language, notes in one.decisions.items()]
        message += [
            "scored by models that were fitted without the record's group"
        ] * one.is_held_out
        if alarms := one.false_alarms:
            message.append(
                f"of {alarms.records:,} {escape(chosen.look_alikes_are or 'harmless look-alikes')} "
                f"it reports {percent(alarms.rate.value)} {percent_interval(alarms.rate.interval)}"
            )
        message += [f"people: {escape(chosen.people)}"] if chosen.people else []
        message += [f"{read.unlabelled:,} records had no label"] if read.unlabelled else []
        message += [f"{read.unread:,} records could not be read"] if read.unread else []
        message += [f"not scored mostly because: {escape(one.reason)}"] if one.reason else []
        lines.append(f"- {'; '.join(part.rstrip('.') for part in message)}.")
    return "\n".join(lines)


def _decided(language: str, decision: Decision) -> str:
    """What the verdicts at the default threshold are worth, in words."""
    where = "at" if language == "all" else f"in {code(language)} at"
    unsure = f", {decision.unsure:,} unsure" if decision.unsure else ""
    rates = ", ".join(
        f"{word} {percent(rate)}"
        for word, rate in (
            ("precision", decision.precision),
            ("recall", decision.recall),
            ("balanced accuracy", decision.balanced_accuracy),
        )
        if rate is not None
    )
    return f"{where} {decision.threshold:g}: {rates} of {decision.decided:,} decided{unsure}"
