"""Measures metrics against labelled data: how far each agrees with people, beside baselines."""

from assay.evidence.cards import card, findings_json, write_cards
from assay.evidence.folds import Folds, fold_of, read_folds
from assay.evidence.labelled_records import LabelledFile, LabelledSample, read_labelled, set_file
from assay.evidence.measure import Finding, SetMeasurement, measure
from assay.evidence.select import Task, Tasks, tasks
from assay.stats.intervals import Estimate

__all__ = [
    "Estimate",
    "Finding",
    "Folds",
    "LabelledFile",
    "LabelledSample",
    "SetMeasurement",
    "Task",
    "Tasks",
    "card",
    "findings_json",
    "fold_of",
    "measure",
    "read_folds",
    "read_labelled",
    "set_file",
    "tasks",
    "write_cards",
]
