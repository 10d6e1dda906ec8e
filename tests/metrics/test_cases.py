"""Runs every `*.cases.toml` through the engine."""

from dataclasses import replace

import pytest

from assay import registry
from assay.backends import Backends
from assay.data import Profile
from assay.engine import make_plan, score_batch
from assay.report.cases import read_cases
from assay.report.evidence_text import text_of
from assay.samples import to_sample

FAKES = Backends(embedder="fake", token_embedder="fake")
CASES = [(metric, case) for metric in registry.metrics().values() for case in read_cases(metric)]


@pytest.mark.parametrize(
    ("metric", "case"), CASES, ids=[f"{metric.id}: {case.why}" for metric, case in CASES]
)
def test_case(metric, case):
    sample = to_sample(case.fields, "case", needs_content=False)
    profile = Profile(options={metric.id: case.options})
    backends = replace(FAKES, judge="fake") if metric.family == "judge" else FAKES
    plan = make_plan(registry.select([metric.id]), profile, backends=backends)
    (scores,) = score_batch(plan, [sample])
    result = scores[metric.id]

    assert result.state == case.state, result.explanation
    if case.value is None:
        assert result.value is None
    else:
        assert result.value == pytest.approx(case.value, rel=0, abs=case.tolerance)
    if case.passed is not None:
        assert result.passed is case.passed
    if case.evidence is not None:
        found = [text_of(sample, span.field)[span.start : span.end] for span in result.evidence]
        assert found == list(case.evidence)
