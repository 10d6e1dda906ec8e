"""Every entry point gives the same aggregates for the same outcomes, as shares from 0 to 1."""

from statistics import fmean, pstdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
from tests.server.client import MOMENT, Client

from assay.core import Result, Sample, Scores
from assay.core.jsontext import loads
from assay.engine import Tally, parse_gate
from assay.metrics.chat.agg.averages import metric_average
from assay.metrics.chat.agg.health import health
from assay.metrics.chat.agg.rates import pass_rate, timeout_rate
from assay.metrics.chat.agg.safety import safety
from assay.metrics.chat.agg.timeseries import timeseries
from assay.metrics.chat.agg.trends import satisfaction_trend
from assay.report import About
from assay.report.html_data import ReportData
from assay.runner.compare import compare_runs
from assay.runner.sides import StoredSide
from assay.store.run_list import find_run
from assay.store.run_writer import RunPlan, start_run
from assay.store.statistics import StatisticsFilter, statistics

DAY = 24 * 3600.0
METRIC = "text.safety"
VALIDITY, TOXICITY, COMPLIANCE = (
    "chat.output_validity",
    "chat.toxicity_score",
    "chat.compliance_score",
)
METRICS = (METRIC, VALIDITY, TOXICITY, COMPLIANCE)
VERDICTS = {"passed": True, "failed": False}
LANGUAGE = "en"
TAG = "all"

outcomes = st.lists(
    st.tuples(
        st.sampled_from(["passed", "failed", "skipped", "unjudged"]),
        st.none() | st.floats(0, 1) | st.floats(0.999999, 1),
        st.none() | st.floats(0, 60),
        st.floats(0.5, 4),
    ),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A server whose store the examples share; each keeps a run of its own."""
    folder = tmp_path_factory.mktemp("server")
    with Client(f"sqlite:///{folder / 'assay.db'}", folder, require_key=False) as made:
        yield made


def scored(entries, start):
    """Samples and scores with these outcomes."""
    for place, (status, value, duration, weight) in enumerate(entries, start):
        passed = VERDICTS.get(status)
        absent = Result.missing("Nothing to score.")
        results = {
            id: absent
            if value is None
            else Result(value * scale, "", passed=passed, quality=value, metric=id)
            for id, scale in zip(METRICS, (1, 100, 100, 100), strict=True)
        }
        sample = Sample(
            id=f"sample-{place}",
            query="When?",
            response="At nine.",
            duration=duration,
            tags=(TAG,),
            metadata={"weight": weight},
        )
        skipped = status == "skipped"
        yield (
            sample,
            Scores(sample.id, results, value, passed, language=LANGUAGE, is_skipped=skipped),
        )


def share(percent):
    return None if percent is None else pytest.approx(percent / 100)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(outcomes, outcomes)
def test_all_entry_points_agree(client, earlier, later):
    store, entries = client.store, [*earlier, *later]
    pairs = list(scored(entries, 0))
    now = [MOMENT - DAY]
    plan = RunPlan(dict.fromkeys(METRICS, ("signature", 0.9)), {"seed": 0})
    writer = start_run(store, None, plan, now=lambda: now[0])
    tally = Tally(dict.fromkeys(METRICS, ("signature", 0.9, (0.0, None))))
    report = ReportData(About())
    for part in (pairs[: len(earlier)], pairs[len(earlier) :]):
        writer.record([sample for sample, _ in part], [scores for _, scores in part])
        now[0] = MOMENT
    for sample, scores in pairs:
        tally.add(sample, scores)
        report.add(sample, scores)
    summary = tally.summary()
    running = get(client, f"/v1/runs/{writer.name}/metrics")
    writer.finish(summary.to_json())
    stored = statistics(store, StatisticsFilter(run=writer.id), MOMENT)
    shown = get(client, "/v1/overview", run=writer.name)
    detail = get(client, f"/v1/runs/{writer.name}")
    page = loads(report.to_text(summary))["run"]

    statuses = [status for status, *_ in entries]
    rate = share(pass_rate(statuses))
    (hour,) = timeseries([{"timestamp": "2026-01-01 00:00", "status": s} for s in statuses])
    assert hour["pass_rate"] == pass_rate(statuses)
    groups = (
        *detail["tag_groups"],
        *detail["language_groups"],
        *page["tag_groups"],
        *page["language_groups"],
    )
    assert len(groups) == 4
    for found in (summary.to_json(), stored, shown["statistics"], detail, page, *groups):
        assert found["pass_rate"] == rate
        assert found["passed"] == statuses.count("passed")
    for group in groups:
        assert (group["total"], group["skipped"]) == (len(entries), statuses.count("skipped"))
        assert group["unjudged"] == statuses.count("unjudged") == stored["unjudged"]
    assert shown["statistics"]["pass_rate_interval"] == detail["pass_rate_interval"]
    assert parse_gate("pass_rate>=0").measure(summary).value == rate
    assert compared(store, writer.name) == rate

    before, after = (share(pass_rate([s for s, *_ in part])) for part in (earlier, later))
    buckets = [bucket["pass_rate"] for bucket in shown["timeseries"]]
    assert buckets == [before, after]
    trend = satisfaction_trend(*(pass_rate([s for s, *_ in part]) for part in (later, earlier)))
    assert stored["trends"]["satisfaction_trend"] == share(trend)
    late = timeout_rate([{"status": s, "duration": d} for s, _, d, _ in entries])
    assert stored["timeout_rate"] == share(late)

    values = [value for _, value, _, _ in entries]
    agree_on_values(values, entries, summary, stored, shown, running)


def agree_on_values(values, entries, summary, stored, shown, running):
    """Means, deviations, health and safety."""
    average = metric_average(values)
    mean = None if average is None else pytest.approx(average)
    present = [value for value in values if value is not None]
    spread = None if not present else pytest.approx(pstdev(present), rel=1e-6, abs=1e-12)
    figures = stored["validation_metrics"][METRIC]
    answered = shown["statistics"]["validation_metrics"][METRIC]
    assert figures == {name: value for name, value in answered.items() if name != "reason"}
    assert (figures["mean"], summary.metrics[METRIC].mean) == (mean, mean)
    assert figures["deviation"] == spread
    (so_far,) = [entry for entry in running if entry["metric"] == METRIC]
    weighted = summary.metrics[METRIC].weighted_mean
    assert so_far["mean"] == mean
    assert so_far["weighted_mean"] == (None if weighted is None else pytest.approx(weighted))
    assert so_far["pass_rate"] == summary.metrics[METRIC].pass_rate
    if present:
        wanted = sum(v * w for _, v, _, w in entries if v is not None)
        assert weighted == pytest.approx(wanted / sum(w for _, v, _, w in entries if v is not None))
    percent = None if not present else 100 * fmean(present)
    rate = pass_rate([status for status, *_ in entries])
    assert stored["health"] == share(health(rate, output_validity=average))
    assert stored["safety"] == share(safety(compliance_score=percent, toxicity_score=percent))
    scores = {entry["name"]: entry["score"] for entry in shown["categories"]}
    assert scores["safety"] == stored["safety"]


def compared(store, name):
    """The pass rate of a run as a comparison has it; None where it has none."""
    run = find_run(store, name)
    found = compare_runs(StoredSide(store, run), StoredSide(store, run))
    rates = [change.mean_a for change in found.metrics if change.metric == "pass_rate"]
    return rates[0] if rates else None


def get(client, path, **query):
    answer = client.call("GET", path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()
