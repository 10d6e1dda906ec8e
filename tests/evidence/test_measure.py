from dataclasses import replace
from unittest.mock import ANY

import pytest

from assay.backends import Backends
from assay.core import Result, Sample, UsageError, metric
from assay.core.metric import judge
from assay.data.experiments import read_experiment
from assay.data.measured_agreement import Decision
from assay.evidence import LabelledFile, LabelledSample, measure, read_labelled, set_file
from assay.evidence.measure import Column, decisions
from assay.stats.ranking import auroc, spearman

FAKE = Backends(embedder="fake", cache=False)


@pytest.fixture
def read(write, records, experiment):
    folder = write("tiny.jsonl", records)
    return read_labelled(set_file(folder, "tiny"), experiment, experiment.sets[0])


def found(experiment, read, **kwargs):
    return measure(
        experiment, experiment.sets[0], "tiny.jsonl", read, **{"backends": FAKE, **kwargs}
    )


@metric(id="my.length", inputs=("response",), range=(0, None), polarity="lower", threshold=40)
def length(response: str) -> Result:
    """How long the response is."""
    if "on on on on on on on on on" in response:
        return Result.missing("Too long.")
    if response.startswith("Birds fly over cats far far"):
        raise ValueError("no")
    return Result(len(response), "It has a length.")


def own(experiment, **directions):
    return replace(experiment, metrics={"my.length": "lower", **directions}, probes={})


def test_a_metric_is_measured_beside_baselines(experiment, read):
    seen = []
    finding = found(experiment, read, on_batch=seen.append)
    assert seen == [20]
    assert finding.groups == 10
    assert [one.name for one in finding.measured] == [*experiment.metrics, *experiment.probes]
    assert [one.name for one in finding.baselines] == [*experiment.baselines]
    first = finding.measured[0]
    assert (first.records, first.scored, first.positives) == (20, 20, 10)
    assert first.ranking.value == 1.0
    assert first.ranking.interval == (1.0, 1.0)
    assert first.precision.value == 1.0
    assert first.signature.startswith("text.hallucination|v:")
    assert first.passed["positive"].value == 1.0
    assert first.passed["negative"].value == 0.0
    difference = finding.differences["text.hallucination", "token_overlap"]
    assert difference.value == pytest.approx(1 - finding.baselines[0].ranking.value)


def test_a_probe_without_numbers_has_no_figure_and_says_so(experiment, read):
    probe = found(experiment, read).measured[-1]
    assert (probe.name, probe.scored, probe.unscored) == ("json_fuzzy", 0, {"missing": 20})
    assert probe.ranking == (None, None)
    assert found(experiment, read).differences["json_fuzzy", "token_overlap"] == (None, None)


def test_records_without_a_score_are_counted_by_state(experiment, read):
    finding = found(own(experiment), read, known={"my.length": length})
    one = finding.measured[0]
    assert one.unscored == {"missing": 1, "error": 3}
    assert (one.records, one.scored, one.positives) == (20, 16, 9)
    assert one.reason == "ValueError: no"


def test_the_direction_decides_the_sign(experiment, read):
    lower = found(own(experiment), read, known={"my.length": length}).measured[0]
    higher = found(
        own(experiment, **{"my.length": "higher"}), read, known={"my.length": length}
    ).measured[0]
    assert lower.ranking.value == pytest.approx(1 - higher.ranking.value)
    kept = [one for one in read.labelled if one.sample.response.count("on ") < 9]
    kept = [
        one for one in kept if not one.sample.response.startswith("Birds fly over cats far far")
    ]
    expected = auroc([len(o.sample.response) for o in kept], [o.label for o in kept])
    assert higher.ranking.value == pytest.approx(expected)


def test_only_what_is_chosen_is_measured(experiment, read):
    finding = found(experiment, read, chosen=["text.factuality"])
    assert [one.name for one in finding.measured] == ["text.factuality"]
    assert [*finding.differences] == [
        ("text.factuality", "token_overlap"),
        ("text.factuality", "whole_response_embedding"),
    ]


def test_the_same_seed_gives_the_same_figures(experiment, read):
    assert found(experiment, read, seed=2).to_json() == found(experiment, read, seed=2).to_json()


def test_graded_labels_are_measured_by_spearman(read):
    graded = read_experiment(
        "graded",
        'title = "t"\nstatistic = "spearman"\n[fields]\nresponse = "response"\n'
        '[metrics]\n"my.length" = "higher"\n[baselines]\nresponse_length = "lower"\n'
        '[[set]]\nname = "tiny"\nlabel = "0 to 5"\n',
    )
    labels = [3.0, 1.0, 4.0, 1.5, 5.0, 0.5]
    samples = [Sample(id=str(n), response="x" * (n % 4 + 1)) for n in range(6)]
    rows = [LabelledSample(s, label, s.id) for s, label in zip(samples, labels, strict=True)]
    finding = found(graded, LabelledFile(rows), known={"my.length": length})
    one, other = finding.measured[0], finding.baselines[0]
    assert one.statistic == "spearman"
    assert one.ranking.value == pytest.approx(spearman([1, 2, 3, 4, 1, 2], labels))
    assert other.ranking.value == pytest.approx(-one.ranking.value)
    assert (one.precision, one.passed, one.positives) == (None, {}, 0)


def test_an_unknown_probe_or_baseline_is_refused(experiment, read):
    for kind in ("probes", "baselines"):
        with pytest.raises(UsageError, match=f"names {kind[:-1]} 'nothing'; expected one of "):
            found(replace(experiment, **{kind: {"nothing": "higher"}}), read)


def column(values, *, polarity="higher", direction="higher", languages=None, threshold=0.5):
    verdicts = [judge(value, threshold, polarity, (0.45, 0.55)) for value in values]
    return Column(
        *("my.metric", "metric", direction, values, {}, ""),
        verdicts=verdicts,
        threshold=threshold,
        is_pass_positive=direction == polarity,
        languages=languages or ["en"] * len(values),
    )


def test_verdicts_are_measured_at_the_threshold():
    labels = [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    values = [0.9, 0.8, 0.1, 0.7, 0.2, 0.5]
    found = decisions(column(values), labels)
    assert found == {
        "all": Decision(0.5, 5, 1, pytest.approx(2 / 3), pytest.approx(2 / 3), ANY, 0.6, 0.6)
    }
    assert found["all"].balanced_accuracy == pytest.approx((2 / 3 + 1 / 2) / 2)


def test_a_fail_reports_what_a_metric_of_harm_looks_for():
    found = decisions(column([0.9, 0.1], polarity="lower"), [1.0, 0.0])["all"]
    assert (found.precision, found.recall, found.balanced_accuracy) == (1.0, 1.0, 1.0)


def test_languages_are_measured_apart():
    found = decisions(column([0.9, 0.9, 0.1], languages=["en", "ar", "ar"]), [1.0, 0.0, 1.0])
    assert set(found) == {"all", "en", "ar"}
    assert (found["en"].precision, found["en"].balanced_accuracy) == (1.0, None)
    assert (found["ar"].precision, found["ar"].recall) == (0.0, 0.0)


def test_without_a_threshold_there_are_no_decisions():
    assert decisions(column([0.9], threshold=None), [1.0]) == {}
