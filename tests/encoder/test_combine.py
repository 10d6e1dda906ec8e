"""How the combiners are fitted, on made-up records."""

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

pytest.importorskip("sklearn")

from training.combine import _band, _calibration_error, _threshold, fitted
from training.combine_rows import QUESTIONS, Readers, Row, read_rows


def rows(count, parts=1):
    chance = Random(5)  # noqa: S311 -- made-up records
    made = []
    for number in range(count):
        label = number % 2
        own = [
            {
                "rules": chance.gauss(2 * label - 1, 2.0),
                "model": chance.gauss(3 * label - 1.5, 1.5),
                "entailed": chance.gauss(3 * label - 1.5, 1.5),
                "contradicted": chance.gauss(1.0 - 2 * label, 1.5),
                "figure": 0.0,
                "negation": 0.0,
                "conflict": 0.0,
                "absent": 0.0,
                "proved": 0.0,
            }
            for _ in range(parts)
        ]
        made.append(Row("made", label, f"group {number // 4}", number // 4 % 3, False, own))
    return made


def test_both_together_beat_each_alone():
    entry = fitted("toxicity", rows(600))
    figures = entry["figures"]["made"]
    assert figures["both"] > max(figures["rules"], figures["encoder"])
    assert all(weight >= 0 for weight in entry["weights"].values())
    low, high = entry["figures"]["band"]
    assert low <= entry["threshold"] <= high
    assert entry["figures"]["wrong of decided"] <= 0.10
    assert entry["figures"]["decided"] > 0.5
    assert entry["calibrated"]


def test_the_worst_statement_decides_and_signs_hold():
    entry = fitted("support", rows(300, parts=3))
    assert entry["weights"]["rules"] >= 0
    assert entry["weights"]["contradicted"] <= 0
    assert QUESTIONS["support"].is_least


def test_the_band_leaves_few_wrong_decisions_and_decides_the_rest():
    values = np.concatenate([np.linspace(0, 0.3, 40), np.linspace(0.35, 0.65, 40)])
    values = np.concatenate([values, np.linspace(0.7, 1, 40)])
    y = np.array([0] * 40 + [0, 1] * 20 + [1] * 40)
    low, high = _band(y, values, np.ones(120), 0.5)
    decided = (values <= low) | (values >= high)
    wrong = decided & ((values > 0.5) != (y == 1))
    assert 0.75 <= decided.mean() < 1.0
    assert wrong.sum() <= 0.1 * decided.sum()


def test_where_nothing_can_be_told_nothing_is_decided():
    values = np.linspace(0, 1, 100)
    y = np.array([0, 1] * 50)
    low, high = _band(y, values, np.ones(100), 0.5)
    assert ((values <= low) | (values >= high)).mean() < 0.1


def test_the_threshold_keeps_false_alarms_on_look_alikes_low():
    made = [Row("s", 0, "g", 0, n < 20, []) for n in range(50)]
    made += [Row("s", 1, "g", 0, False, []) for _ in range(50)]
    y = np.array([row.label for row in made])
    values = np.concatenate([np.linspace(0.5, 0.9, 20), np.full(30, 0.1), np.full(50, 0.6)])
    free = [row._replace(is_look_alike=False) for row in made]
    assert _threshold(free, y, values, np.ones(100)) < 0.6
    assert _threshold(made, y, values, np.ones(100), 0.05) >= 0.87


def test_the_calibration_error_is_what_a_bin_is_off_by():
    y = np.array([1, 0, 1, 0] * 25)
    assert _calibration_error(y, np.full(100, 0.5), np.ones(100)) == 0
    assert _calibration_error(y, np.full(100, 0.8), np.ones(100)) == pytest.approx(0.3)


def test_rows_that_are_kept_are_not_read_again(tmp_path):
    made = rows(12)
    kept = tmp_path / "rows_toxicity.json"
    kept.write_text(json.dumps([row._asdict() for row in made]))
    nowhere = tmp_path / "nowhere"
    assert read_rows("toxicity", nowhere, Readers(nowhere), kept=tmp_path) == made


def test_short_cases_alone_are_read_where_the_encoder_is_asked(tmp_path):
    folder = Path(pytest.importorskip("assay_models").__file__).parent
    asked = {"query": "Who wrote it?", "expected": "Maria Lopez", "response": "Ms Lopez did."}
    figure = {"query": "How long?", "expected": "3 days", "response": "It takes 4 days."}
    cases = tmp_path / "fresh_cases.jsonl"
    lines = [
        {"id": str(n), "group": str(n), "job": "correctness", "sample": sample, "verdict": "good"}
        for n, sample in enumerate((asked, figure))
    ]
    cases.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    read = read_rows("correctness", tmp_path, Readers(folder), [cases], is_exam_alone=True)
    assert [(row.set, row.group) for row in read] == [("fresh", "0")]
    assert [*read[0].parts[0]] == ["rules", "model"]
