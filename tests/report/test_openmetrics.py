from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from prometheus_client.openmetrics.parser import text_string_to_metric_families

from assay.core import GateVerdict
from assay.report.openmetrics import openmetrics_page
from assay.report.safe_text import visible


def _samples(page: str) -> dict[tuple[str, ...], float]:
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page)
        for sample in family.samples
    }


def test_run_metrics_and_gates_are_gauges(run: Any, tmp_path: Path) -> None:
    found = _samples(run.write(tmp_path / "metrics.prom").decode())
    assert found["assay_run_overall",] == 0.7875
    assert found["assay_run_unread",] == 1
    assert found["assay_metric_mean", "text.safety"] == 0.625
    assert ("assay_metric_mean", "text.relevance") not in found, "nothing was scored"
    assert found["assay_metric_errors", "custom.charm"] == 1


def test_hostile_names_stay_labels(hostile: str, make_run: Callable[..., Any]) -> None:
    gates = [GateVerdict(f"x{hostile}", "fails", False, hostile)]
    found = _samples(openmetrics_page(replace(make_run(hostile).summary, gates=gates)))
    assert found["assay_gate_passes", visible(f"x{hostile}")] == 0
