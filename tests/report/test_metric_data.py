"""What is said of a metric as plain data."""

from __future__ import annotations

import pytest

from assay import registry
from assay.report.metric_data import declared, label


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("hallucination_rate", "Hallucination rate"),
        ("e2e_latency", "E2E latency"),
        ("ttft", "TTFT"),
        ("bertscore", "BERTScore"),
        ("psi_drift", "PSI drift"),
        ("retrieval_precision_5", "Retrieval precision 5"),
        ("dim.security", "Security"),
    ],
)
def test_a_name_is_written_for_people(name: str, written: str) -> None:
    assert label(name) == written


def test_every_metric_has_a_label() -> None:
    labels = [declared(metric)["label"] for metric in registry.metrics().values()]
    assert all(label[0].isupper() or label[0].isdigit() for label in labels)
    assert not any("_" in label or "." in label for label in labels)
