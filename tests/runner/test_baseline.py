"""Gates against an earlier run: worse beyond doubt fails, too few samples are said."""

import json

import pytest

from assay.core import DataError, Result, Sample, Scores, UsageError, metric
from assay.engine import GatePolicy, Tally, make_plan
from assay.runner.baseline import BaselineGates


@metric(id="own.share", inputs=(), range=(0, 1), polarity="higher", threshold=0.5)
def share(response):
    return Result(0.0)


@metric(id="own.length", inputs=(), range=(0, None), polarity="neutral")
def length(response):
    return Result(0.0)


PLAN = make_plan([share, length])
SIGNATURES = {step.metric.id: step.signature for step in PLAN.shown}


def earlier(folder, values, signature=SIGNATURES["own.share"]):
    """A file of results with those values of `own.share`."""
    path = folder / "base.jsonl"
    records = [
        {
            "id": f"q{place}",
            "scores": {
                "own.share": {
                    "value": value,
                    "state": "ok",
                    "passed": value >= 0.5,
                    "threshold": 0.5,
                    "signature": signature,
                }
            },
        }
        for place, value in enumerate(values)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def verdicts(path, values, *gates, policy=None, prefix="q"):
    baseline = BaselineGates(path, None, PLAN, gates)
    tally = Tally(PLAN)
    for place, value in enumerate(values):
        result = Result.missing("No.") if value is None else Result(value, passed=value >= 0.5)
        results = {"own.share": result, "own.length": Result(3.0)}
        scores = Scores(f"{prefix}{place}", results, value, result.passed)
        baseline.live.write(Sample(), scores)
        tally.add(Sample(), scores)
    return baseline.verdicts(policy or GatePolicy(), tally.summary())


GOOD = [0.9, 0.8, 1.0, 0.85] * 15
WORSE = [value - 0.3 - 0.001 * place for place, value in enumerate(GOOD)]


def test_a_metric_that_is_clearly_worse_fails(tmp_path):
    (found,) = verdicts(earlier(tmp_path, GOOD), WORSE)
    assert (found.gate.split()[0], found.state, found.passes) == ("own.share", "fails", False)
    assert found.samples == 60
    assert found.value == pytest.approx(-0.3295)
    assert found.interval is not None
    assert found.interval.high < -0.3


def test_a_collapse_of_few_samples_fails(tmp_path):
    (found,) = verdicts(earlier(tmp_path, [0.9] * 7), [0.4] * 7, "own.share")
    assert (found.state, found.passes) == ("fails", False)
    assert found.explanation == "it changed by -0.5 [-0.5, -0.5], tolerance 0.02"


def test_one_lost_pass_of_three_fails(tmp_path):
    (found,) = verdicts(earlier(tmp_path, [0.9, 0.8, 0.7]), [0.9, 0.4, 0.7], "own.share")
    assert (found.state, found.passes) == ("fails", False)


def test_the_same_again_holds(tmp_path):
    (found,) = verdicts(earlier(tmp_path, GOOD), GOOD, "own.share:0.1")
    assert (found.state, found.passes) == ("holds", True)


def test_too_few_samples_are_said_and_pass_unless_told(tmp_path):
    path = earlier(tmp_path, [0.9, 0.2, 0.8])
    (found,) = verdicts(path, [0.6, 0.4, 0.7], "own.share")
    assert (found.state, found.passes) == ("flaky", True)
    assert found.explanation.endswith("too few samples to tell")
    (strict,) = verdicts(path, [0.2, 0.9, 0.7], "own.share", policy=GatePolicy("fail"))
    assert strict.passes is False
    (few,) = verdicts(path, [0.2, 0.9, 0.7], "own.share", policy=GatePolicy(min_samples=4))
    assert (few.state, few.passes) == ("undecided", False)
    assert few.explanation == "3 samples have a score in both runs"


def test_other_rules_are_undecided(tmp_path):
    (found,) = verdicts(earlier(tmp_path, GOOD, "own.share|v:0"), GOOD)
    assert (found.state, found.passes) == ("undecided", False)
    assert "made by different rules" in found.explanation


@pytest.mark.parametrize("prefix", ["other", "q"])
def test_nothing_in_common_fails_closed(tmp_path, prefix):
    path = earlier(tmp_path, GOOD)
    values = GOOD if prefix == "other" else [None] * 60
    found = verdicts(path, values, "own.share", prefix=prefix)
    assert [(v.state, v.passes) for v in found] == [("undecided", False)]
    allowed = verdicts(
        path, values, "own.share", prefix=prefix, policy=GatePolicy(allow_undecided=True)
    )
    assert [v.passes for v in allowed] == [True]
    assert "--by" not in found[0].explanation


def test_a_file_of_something_else_is_no_baseline(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"query": "What?"}\nnonsense\n', encoding="utf-8")
    (found,) = verdicts(str(path), GOOD)
    assert (found.state, found.passes) == ("undecided", False)
    assert found.gate == f"all metrics not worse than in {path}"
    assert found.explanation.startswith("the baseline holds no results; make one with")


def test_a_metric_that_the_baseline_has_not(tmp_path):
    (found,) = verdicts(earlier(tmp_path, GOOD), GOOD, "overall")
    assert (found.state, found.passes) == ("undecided", False)
    assert "the baseline has no scores of it" in found.explanation


@pytest.mark.parametrize(
    ("gate", "said"),
    [
        ("own.other", "names a metric that is not scored"),
        ("own.length", "neither a higher nor a lower value is better"),
        ("own.share:x", "is not a gate"),
    ],
)
def test_wrong_gates_are_refused_before_the_run(tmp_path, gate, said):
    with pytest.raises(UsageError, match=said):
        BaselineGates(earlier(tmp_path, GOOD), None, PLAN, [gate])


def test_a_baseline_that_is_not_there(tmp_path):
    with pytest.raises(DataError, match="there is no baseline"):
        BaselineGates(str(tmp_path / "none.jsonl"), None, PLAN)
