"""Runs by blocks are compared by their roll-ups, as plain arithmetic over all scores would."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb", reason='duckdb is not installed: pip install "assay-eval[scale]"')
pytest.importorskip("ddsketch", reason='ddsketch is not installed: pip install "assay-eval[scale]"')
import numpy as np
from tests.runner.block_data import METRICS, rows, run, streamed, write_data

from assay.core.run_comparison import RunComparison
from assay.runner.compare import CompareOptions, compare_runs
from assay.runner.compare_gates import gate_outcomes
from assay.runner.execute import RecordRequest
from assay.runner.sides import open_side
from assay.store import Store, open_store


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs by blocks, of which the second is worse, and the first as an ordinary one."""
    folder = tmp_path_factory.mktemp("compared")
    store = f"sqlite:///{folder}/assay.db"
    good = {f"n{n}": f"Number {n}: A fine answer." for n in range(60)}
    for name, texts in (("good", good), ("bad", {})):
        data = write_data(folder / name, **texts)
        run(data, f"{folder}/{name}-out/", record=RecordRequest(store=store, name=name))
    streamed(
        str(folder / "good"),
        str(folder / "plain.parquet"),
        record=RecordRequest(store=store, name="plain"),
    )
    return folder


@pytest.fixture
def store(base: Path) -> Any:
    opened = open_store(f"sqlite:///{base}/assay.db")
    yield opened
    opened.close()


def compared(store: Store, a: str, b: str, **options: Any) -> RunComparison:
    return compare_runs(open_side(a, store), open_side(b, store), CompareOptions(**options))


def test_differences_are_those_of_all_scores(base: Path, store: Store) -> None:
    comparison = compared(store, "good", "bad", correction="none")
    changes = {change.metric: change for change in comparison.metrics}
    assert {*changes} == {*METRICS, "overall", "pass_rate"}
    sides = [[r for r in rows(base / f"{name}-out/samples") if r["id"]] for name in ("good", "bad")]
    for metric in METRICS:
        a, b = (np.array([row[metric] for row in side]) for side in sides)
        error = np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))
        change = changes[metric]
        assert change.difference == pytest.approx(b.mean() - a.mean())
        assert change.interval is not None
        width = change.interval.high - change.interval.low
        assert width == pytest.approx(2 * 1.959963984540054 * error)
        assert change.pairs == 59
    rates = [np.mean([row["verdict"] == "pass" for row in side]) for side in sides]
    assert changes["pass_rate"].difference == pytest.approx(rates[1] - rates[0])
    assert changes["text.safety"].verdict == "worse"
    assert changes["pass_rate"].verdict == "worse"


def test_it_says_what_is_exact_and_what_is_not(store: Store) -> None:
    comparison = compared(store, "good", "bad")
    assert comparison.paired_by == "none"
    notes = " ".join(comparison.notes)
    assert "not paired" in notes
    assert "Exact counts and moments" in notes
    assert "Approximate: the interval of mean quality" in notes
    assert "Medians (approximate, off by at most 1%" in notes
    assert comparison.samples == ()


def test_gates_hold_or_fail(store: Store) -> None:
    comparison = compared(store, "good", "bad")
    failed = {gate.metric for gate in gate_outcomes(comparison, {"all": None}) if not gate.holds}
    assert {"text.safety", "pass_rate"} <= failed
    same = compared(store, "good", "good")
    assert all(gate.holds for gate in gate_outcomes(same, {"all": None}))


def test_an_ordinary_run_is_compared_by_its_roll_ups_too(store: Store) -> None:
    comparison = compared(store, "plain", "good")
    assert all(change.difference == pytest.approx(0.0) for change in comparison.metrics)
    assert {change.verdict for change in comparison.metrics} <= {
        "no real change",
        "too few samples",
    }


def test_answers_to_one_question_are_not_taken_for_independent(tmp_path: Path) -> None:
    """One of six questions is answered badly, forty times of forty."""
    store = f"sqlite:///{tmp_path}/assay.db"
    good = {f"n{n}": f"Number {n}: A fine answer." for n in range(240)}
    bad = {f"n{n}": f"Write to joe@example.com, {n}." for n in range(0, 240, 6)}
    for name, texts in (("good", good), ("bad", good | bad)):
        data = write_data(tmp_path / name, count=240, questions=6, **texts)
        run(data, f"{tmp_path}/{name}-out/", record=RecordRequest(store=store, name=name))
    opened = open_store(store)
    comparison = compared(opened, "good", "bad")
    opened.close()
    change = next(change for change in comparison.metrics if change.metric == "text.safety")
    assert change.difference is not None
    assert change.difference < -change.tolerance
    assert change.verdict == "too few samples"
    assert "worse" not in {change.verdict for change in comparison.metrics}
    assert any("which count questions" in note for note in comparison.notes)
