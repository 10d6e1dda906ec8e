"""Which experiments, on which sets, for which metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay import registry
from assay.core import DataError, Metric, UsageError
from assay.data.experiments import Experiment, LabelledSet
from assay.evidence.labelled_records import set_file
from assay.evidence.probes import PROBES


@dataclass(frozen=True)
class Task:
    """A set to read, and what to measure on it."""

    experiment: Experiment
    labelled_set: LabelledSet
    path: Path
    names: Sequence[str]
    """Metrics and probes of the experiment."""


@dataclass(frozen=True)
class Tasks:
    """What can be measured with a folder, and which sets of the experiments are not in it."""

    found: Sequence[Task]
    absent: Sequence[str]


def tasks(
    experiments: Iterable[Experiment],
    folder: Path,
    *,
    selectors: Sequence[str] = (),
    sets: Sequence[str] = (),
    split: str | None = None,
    known: Mapping[str, Metric] | None = None,
) -> Tasks:
    """The sets of the folder that measure the selected metrics, all unless some are named.

    A set that is named and not there is an error; one that is merely part of an experiment is
    listed as absent.
    """
    all_experiments = list(experiments)
    chosen = _chosen(all_experiments, selectors, known)
    _check_sets(chosen, sets)
    selected: list[Task] = []
    absent: dict[str, None] = {}
    for experiment, names in chosen:
        for labelled_set in experiment.sets:
            if sets and labelled_set.name not in sets:
                continue
            if path := set_file(folder, labelled_set.name, split):
                selected.append(Task(experiment, labelled_set, path, names))
            else:
                absent[labelled_set.name] = None
    if absent and (sets or not selected):
        name = next(iter(absent))
        part = f".{split}" if split else ""
        more = f", nor any of {len(absent) - 1} more sets" if len(absent) > 1 else ""
        raise DataError(
            f"set {name!r} is not in {str(folder)!r}{more}; expected {name}{part}.jsonl there, "
            "or the same with another part before .jsonl, or with .gz behind it"
        )
    return Tasks(selected, list(absent))


def _chosen(
    experiments: Sequence[Experiment],
    selectors: Sequence[str],
    known: Mapping[str, Metric] | None,
) -> list[tuple[Experiment, list[str]]]:
    """The experiments that measure something selected, with what they are to measure."""
    probes = [selector for selector in selectors if selector in PROBES]
    others = [selector for selector in selectors if selector not in PROBES]
    ids = {metric.id for metric in registry.select(others, known)} if others else set()
    wanted = {*ids, *probes}
    pairs = [
        (experiment, [name for name in _names(experiment) if not selectors or name in wanted])
        for experiment in experiments
    ]
    kept = [(experiment, names) for experiment, names in pairs if names]
    if not kept:
        measured = sorted({name for experiment in experiments for name in _names(experiment)})
        raise UsageError(
            f"no experiment measures {', '.join(selectors)}; those that are measured: "
            f"{', '.join(measured)}"
        )
    return kept


def _names(experiment: Experiment) -> list[str]:
    return [*experiment.metrics, *experiment.probes]


def _check_sets(chosen: Sequence[tuple[Experiment, list[str]]], sets: Sequence[str]) -> None:
    named = list(dict.fromkeys(s.name for experiment, _ in chosen for s in experiment.sets))
    for name in sets:
        if name not in named:
            raise UsageError(
                f"no experiment on the selected metrics uses set {name!r}; "
                f"expected one of {', '.join(named)}"
            )
