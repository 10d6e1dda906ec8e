"""What was measured, as the product reads it."""

from assay import registry
from assay.data.bundled_files import read_bundled_toml
from assay.data.experiments import experiments
from assay.data.measured_agreement import (
    FILE,
    measured,
    measured_metrics,
    measured_rules,
    measured_sets,
)
from assay.data.metric_targets import board

FITTED = ("answer", "rag", "safety", "agent.step_correctness")
"""Metrics whose models were fitted on the sets that measure them; other agent metrics have none."""


def test_a_fitted_metric_is_measured_by_models_that_have_not_seen_the_records():
    seen = [
        (entry["metric"], entry["set"])
        for entry in read_bundled_toml(FILE)["finding"]
        if entry["metric"].startswith(FITTED) and not entry["is_held_out"]
    ]
    assert seen == []


def test_every_set_and_rule_of_a_finding_is_there():
    sets = {(one.question, one.set) for one in measured_sets()}
    rules = {(one.question, one.set, one.rule) for one in measured_rules()}
    for metric in measured_metrics():
        for one in measured(metric):
            assert (one.question, one.set) in sets
            assert {(one.question, one.set, rule) for rule in one.rules} <= rules


def test_questions_are_those_of_the_experiments():
    titles = {one.title: {labelled.name for labelled in one.sets} for one in experiments().values()}
    for one in measured_sets():
        assert one.set in titles[one.question]


def test_every_critical_metric_is_measured_or_has_a_reason():
    reasons = read_bundled_toml("unmeasured.toml")["reasons"]
    known = set(measured_metrics())
    assert {*board().targets} - known == {*reasons} - known
    assert not known & {*reasons}


def test_every_metric_that_was_measured_exists():
    assert {entry["metric"] for entry in read_bundled_toml(FILE)["finding"]} <= {
        *registry.metrics()
    }


def test_a_metric_has_its_sets_in_order():
    sets = [found.set for found in measured("governance.groundedness")]
    assert sets == ["begin", "faithdial_audit", "summedits", "wice_citation", "fever_symmetric"]
    first = measured("governance.groundedness")[0]
    assert first.interval[0] < first.value < first.interval[1]
    assert first.rules["token_overlap"].low < first.rules["token_overlap"].high


def test_a_metric_that_nobody_measured_has_nothing():
    assert measured("chat.ttft") == ()
