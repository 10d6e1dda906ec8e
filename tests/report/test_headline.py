"""The sentences that stand above every report."""

from dataclasses import replace
from typing import Any

import pytest

from assay.core import Interval
from assay.report.headline import (
    NAMED,
    basis,
    causes,
    estimates,
    outcome,
    retries,
    some,
    standing,
)


def test_what_does_not_pass_and_what_could_be_judged(run: Any) -> None:
    summary = replace(run.summary, samples=9, judged=6, passed=3, failed=2, unsure=1)
    assert standing(summary).replace("\u00a0", " ") == "2 fail, 1 unsure, 6 of 9 judged"
    assert standing(replace(summary, failed=0, unsure=0)) == "6 of 9 judged"


def test_the_run_in_one_line(run: Any) -> None:
    summary = replace(run.summary, samples=9, judged=6, passed=3, failed=2, unsure=1)
    assert outcome(summary) == "3 of 6 good; 3 to look at; 3 not judged"
    assert outcome(replace(summary, unsure=0)).endswith("2 to look at; 1 skipped; 3 not judged")
    good = replace(summary, samples=6, passed=6, failed=0, unsure=0)
    assert outcome(good) == "6 of 6 good"
    assert outcome(replace(summary, judged=0)) == "No verdict on 9\u00a0samples"


def test_the_metrics_that_fail_samples_are_counted(run: Any) -> None:
    assert causes(run.summary) == "Failing metrics: text.safety (1)."
    assert causes(replace(run.summary, metrics={})) == ""


def test_the_metrics_that_decide_are_named(run: Any) -> None:
    metrics = {
        id: replace(aggregate, gates=id == "text.safety")
        for id, aggregate in run.summary.metrics.items()
    }
    said = basis(replace(run.summary, metrics=metrics)).replace("\u00a0", " ")
    assert said == "Passes and mean quality by text.safety; 3 metrics are informational."
    nothing = {id: replace(aggregate, gates=False) for id, aggregate in metrics.items()}
    assert basis(replace(run.summary, metrics=nothing)).startswith("No verdict: none of these")
    assert basis(replace(run.summary, metrics={})) == ""


def test_many_names_are_counted() -> None:
    names = [f"m{n}" for n in range(NAMED + 2)]
    assert some(names).endswith("m5 and 2 more")


def test_the_estimated_pass_rate_of_deciding_metrics_is_named(run: Any) -> None:
    assert estimates(run.summary) == ""
    known = run.summary.metrics["text.safety"]
    estimated = replace(
        known,
        judged=9,
        estimated_pass_rate=0.74,
        estimated_pass_rate_interval=Interval(0.7, 0.78),
        estimated_samples=9,
    )

    def line(aggregate: Any) -> str:
        summary = replace(run.summary, metrics={"text.safety": aggregate})
        return estimates(summary).replace("\u00a0", " ")

    start = "Pass rate estimated from calibrated probabilities: text.safety 74.0 % [70.0 %, 78.0 %]"
    assert line(estimated) == f"{start}."
    assert line(replace(estimated, estimated_samples=6)) == f"{start} from 6 of 9 samples."
    assert line(replace(estimated, gates=False)) == ""


def compared(own: float | None, others: float | None, p: float | None) -> dict[str, Any]:
    return {
        "samples": 1,
        "retried": {"pass_rate": own},
        "others": {"pass_rate": others},
        "p_value": p,
        "differs": p is not None and p < 0.01,
    }


@pytest.mark.parametrize(
    ("figures", "ends"),
    [
        (None, ""),
        (compared(None, 0.5, None), "answered only after a retry."),
        (compared(0.25, 0.8, None), "pass, 80.0 % of the others."),
        (compared(0.25, 0.8, 0.3), "of the others (p = 0.3)."),
        (compared(0.25, 0.8, 0.002), "(p = 0.002). Failures of the target may be hiding its worst "
        "answers."),
        (compared(0.9, 0.2, 1e-9), "(p < 0.0001). Failures of the target depend on what it is "
        "asked."),
    ],
)  # fmt: skip
def test_samples_with_a_retry_are_compared(run: Any, figures: Any, ends: str) -> None:
    line = retries(replace(run.summary, retries=figures)).replace("\u00a0", " ")
    assert line.endswith(ends)
    assert line.startswith("1 sample was answered" if figures else "")
    assert bool(line) == bool(figures)
