"""The page of figures and its pictures, made from `measured.toml` and the experiments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.data.bundled_files import read_bundled_toml
from assay.data.experiments import Experiment, LabelledSet, experiments
from assay.data.gating import is_ahead
from assay.data.measured_agreement import (
    CHANCE,
    MeasuredAgreement,
    MeasuredRule,
    MeasuredSet,
    measured,
    measured_metrics,
    measured_rules,
    measured_sets,
)
from assay.data.metric_targets import board
from assay.report.evidence_chart import ChartBlock, ChartMark, chart
from assay.report.figures import percent
from assay.report.markdown import code, escape, table

OWN = ("agent", "answer", "rag", "safety")
"""Families whose metrics are ours; the rules of the others are documented elsewhere."""
FOLDER = "images/evidence"
PAGE = "reference/evidence-figures.md"
NAMES = {"auroc": "AUROC", "spearman": "Spearman"}
STATES = {"missing": "N/A", "imputed": "imputed", "error": "failed"}
INTRODUCTION = """# Figures of the evidence

How well each metric does on labelled public sets, compared with baselines;
[evidence](../background/evidence.md) explains the figures and how to reproduce them.
Square brackets are 95 % intervals. **Bold** is better than chance and than every baseline, by
intervals.
Models were fitted on these same sets, so each record is scored by models that were fitted without
its group. These are development records: rules were designed with them in view, and a held-out
part is kept for releases."""


def pages() -> dict[str, str]:
    """The page and its pictures by their place below the folder of the docs."""
    result = [one for one in experiments().values() if _sets(one)]
    made = {PAGE: _page(result)}
    for experiment in result:
        made[f"{FOLDER}/{experiment.name}.svg"] = _picture(experiment)
    if alarms := _alarm_blocks():
        made[f"{FOLDER}/false_alarms.svg"] = chart(
            alarms,
            "share of harmless look-alikes that is reported",
            0.0,
            1.0,
            None,
            "False alarms on harmless look-alikes",
        )
    return made


def _page(result: Sequence[Experiment]) -> str:
    parts = [INTRODUCTION, "## Which metrics decide passes", _standings()]
    parts += ["## The critical metrics of the dashboard", _critical()]
    parts += ["## False alarms on harmless look-alikes", *_alarms()]
    parts += ["## Verdicts by language", _languages()]
    for experiment in result:
        parts += [
            f"## {experiment.title}",
            experiment.about,
            f"![{experiment.title}](../{FOLDER}/{experiment.name}.svg)",
            _table(experiment),
            _labels(experiment),
        ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _findings(experiment: Experiment, name: str) -> list[tuple[str, MeasuredAgreement]]:
    return [
        (metric, one)
        for metric in measured_metrics()
        for one in measured(metric)
        if one.question == experiment.title and one.set == name
    ]


def _sets(experiment: Experiment) -> list[tuple[LabelledSet, MeasuredSet]]:
    sizes = {(one.question, one.set): one for one in measured_sets()}
    return [
        (labelled, sizes[experiment.title, labelled.name])
        for labelled in experiment.sets
        if (experiment.title, labelled.name) in sizes
    ]


def _rules(experiment: Experiment, name: str) -> list[MeasuredRule]:
    return [one for one in measured_rules() if one.question == experiment.title and one.set == name]


def _is_own(metric: str) -> bool:
    return metric.partition(".")[0] in OWN


def _picture(experiment: Experiment) -> str:
    """Ours, the best published rule and the best baseline of each set."""
    blocks = []
    for labelled, _ in _sets(experiment):
        findings = _findings(experiment, labelled.name)
        marks = [
            ChartMark("ours", m, one.value, *one.interval) for m, one in findings if _is_own(m)
        ]
        others = [(m, one) for m, one in findings if not _is_own(m)]
        if others:
            metric, one = max(others, key=lambda pair: pair[1].value)
            marks.append(ChartMark("published rule", metric, one.value, *one.interval))
        if rules := _rules(experiment, labelled.name):
            rule = max(rules, key=lambda one: one.value)
            marks.append(ChartMark("baseline", rule.rule, rule.value, *rule.interval))
        note = f"agreement of people: {labelled.people}" if labelled.people else ""
        blocks.append(ChartBlock(labelled.name, marks, note))
    is_auroc = experiment.statistic == "auroc"
    chance = CHANCE[experiment.statistic]
    least = min((mark.low for block in blocks for mark in block.marks), default=chance)
    low = min(chance, int(least * 10) / 10) if least < chance else chance
    low = max(low, 0.0 if is_auroc else -1.0)
    return chart(blocks, NAMES[experiment.statistic], low, 1.0, chance, experiment.title)


def _table(experiment: Experiment) -> str:
    names = list(experiment.baselines)
    header = ["set", "measured", NAMES[experiment.statistic], *(f"− {code(n)}" for n in names)]
    rows = [row for pair in _sets(experiment) for row in _rows(experiment, names, *pair)]
    return table([*header, "not scored"], rows)


def _rows(
    experiment: Experiment, names: Sequence[str], labelled: LabelledSet, size: MeasuredSet
) -> Iterator[list[str]]:
    positive = f", {size.positives:,} positive" if experiment.positive else ""
    explanation = (
        f"{code(labelled.name)}: {size.records:,} records{positive}, {size.groups:,} groups"
    )
    for metric, one in _findings(experiment, labelled.name):
        figure = _figure(one.value, one.interval)
        states = [f"{amount:,}\u00a0{STATES[state]}" for state, amount in one.unscored.items()]
        yield [
            explanation,
            code(metric),
            f"**{figure}**" if one.is_ahead else figure,
            *(
                f"{_signed(rows.value)} [{_signed(rows.low)}, {_signed(rows.high)}]"
                if (rows := one.rules.get(name))
                else ""
                for name in names
            ),
            ", ".join(states) or "0",
        ]
        explanation = ""
    for rule in _rules(experiment, labelled.name):
        yield [explanation, rule.rule, _figure(rule.value, rule.interval), *([""] * len(names)), ""]
        explanation = ""


def _labels(experiment: Experiment) -> str:
    """What the labels mean, who made them, and how far people agree."""
    lines = []
    for labelled, _ in _sets(experiment):
        message = [f"{code(labelled.name)}: {escape(labelled.label)}"]
        message += [f"labels by {escape(labelled.labelled_by)}"] if labelled.labelled_by else []
        message += [f"from {escape(labelled.source)}, {escape(labelled.licence)}"]
        message += [f"agreement of people: {escape(labelled.people)}"] if labelled.people else []
        lines.append(f"- {'; '.join(message)}.")
    return "\n".join(lines)


def _standings() -> str:
    """Which metrics are ahead of every baseline, and on which sets."""
    rows = []
    for metric in sorted(measured_metrics(), key=lambda name: (not _is_own(name), name)):
        standings = measured(metric)
        ahead = dict.fromkeys(code(one.set) for one in standings if one.is_ahead)
        behind = dict.fromkeys(
            code(one.set) for one in standings if one.interval[1] < CHANCE[one.statistic]
        )
        if not ahead and not behind and not _is_own(metric):
            continue
        standing = "decides passes" if is_ahead(metric) else "informational"
        rows.append([code(metric), standing, ", ".join(ahead) or "–", ", ".join(behind) or "–"])
    text = (
        "A metric decides passes by default when it is ahead of chance and of every baseline on "
        "at least one set, and worse than chance on none. Exact checks, such as a schema or tool "
        "calls, do so without evidence. Published rules that are ahead nowhere are left out here."
    )
    header = ["metric", "by its evidence", "ahead of every baseline on", "worse than chance on"]
    return f"{text}\n\n{table(header, rows)}"


def _critical() -> str:
    """The critical metrics with the sets that measure them, or why none does."""
    reasons = read_bundled_toml("unmeasured.toml")["reasons"]
    rows = []
    for metric in board().targets:
        result = measured(metric)
        sets = ", ".join(f"{code(one.set)} {one.value:.2f}" for one in result)
        message = sets or reasons.get(metric, "No labelled set was found that measures it.")
        rows.append([code(metric), message, "yes" if is_ahead(metric) else "no"])
    return table(["metric", "measured on", "ahead of baselines"], rows)


def _alarm_rows() -> Iterator[tuple[LabelledSet, str, MeasuredAgreement]]:
    for experiment in experiments().values():
        for labelled, _ in _sets(experiment):
            for metric, one in _findings(experiment, labelled.name):
                if one.false_alarms:
                    yield labelled, metric, one


def _alarm_blocks() -> list[ChartBlock]:
    blocks: dict[str, list[ChartMark]] = {}
    for labelled, metric, one in _alarm_rows():
        assert one.false_alarms
        kind = "ours" if _is_own(metric) else "published rule"
        mark = ChartMark(kind, metric, *one.false_alarms[1:])
        blocks.setdefault(labelled.look_alikes_are, []).append(mark)
    return [ChartBlock(title, marks) for title, marks in blocks.items()]


def _alarms() -> list[str]:
    rows = []
    for labelled, metric, one in _alarm_rows():
        assert one.false_alarms
        count, rate, low, high = one.false_alarms
        decided = one.decisions.get("all")
        alarms = percent(decided.recall) if decided and decided.recall is not None else "–"
        rows.append(
            [
                escape(labelled.look_alikes_are),
                code(metric),
                f"{percent(rate)} [{percent(low)}, {percent(high)}] of {count:,}",
                alarms,
            ]
        )
    text = (
        "Harmless records that look like what a metric searches for: what share of them does it "
        "report at its default threshold, and what share of the real ones?"
    )
    picture = f"![False alarms on harmless look-alikes](../{FOLDER}/false_alarms.svg)"
    header = ["harmless look-alikes", "metric", "false alarms", "real ones reported"]
    return [text, picture, table(header, rows)] if rows else []


def _languages() -> str:
    """Precision, recall and balanced accuracy at the default threshold of our metrics."""
    rows = []
    for metric in measured_metrics():
        if not _is_own(metric):
            continue
        for one in measured(metric):
            for language, languages in one.decisions.items():
                rates = (
                    languages.reported,
                    languages.labelled,
                    languages.precision,
                    languages.recall,
                    languages.balanced_accuracy,
                )
                rows.append(
                    [
                        code(metric),
                        code(one.set),
                        language,
                        f"{languages.threshold:g}",
                        *("–" if rate is None else percent(rate) for rate in rates),
                        f"{languages.decided:,}",
                        f"{languages.unsure:,}",
                    ]
                )
    text = (
        "At the default threshold: the share of records that a metric reports, and the share that "
        "people label so; of what it reports, the share that is labelled so (precision); of what "
        "is labelled so, the share that it reports (recall); and the mean share of right verdicts "
        "of the two labels (balanced accuracy). What is reported is what the question asks for: a "
        "right answer, a supported one, an attack, a refusal."
    )
    header = ["metric", "set", "language", "threshold", "reported", "labelled so"]
    header += ["precision", "recall", "balanced accuracy", "decided", "unsure"]
    return f"{text}\n\n{table(header, rows)}"


def _figure(value: float, ends: tuple[float, float]) -> str:
    return f"{_plain(value)} [{_plain(ends[0])}, {_plain(ends[1])}]"


def _plain(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
