"""Scores of one sample, at once and without keeping anything."""

from __future__ import annotations

from assay.core.time_limit import time_limit
from assay.runner.execute import RunRequest, execute_one
from assay.samples import to_sample
from assay.samples.field_names import check_format
from assay.server.access import role
from assay.server.choices import choose, chosen
from assay.server.requests import JsonAnswer, TheConfig, TheStore, check_size, make_router
from assay.server.schemas.jobs import ScoreAnswer, ScoreBody

router = make_router("score")


@router.post("/v1/score", operation_id="score_sample", response_model=ScoreAnswer)
@role("write")
def score_sample(body: ScoreBody, store: TheStore, config: TheConfig) -> JsonAnswer:
    """Score one sample now; nothing of it is stored."""
    choices = choose(
        store,
        metrics=tuple(body.metrics),
        profile=body.profile,
        policy=body.policy,
        strategies=body.strategies,
    )
    check_format(body.format)
    check_size(body.sample, config)
    sample = to_sample(body.sample, "sample-1", body.format)
    own = chosen(store, config.settings, choices)
    request = RunRequest(items=[sample], job=own.job, settings=own.settings)
    with time_limit(config.limits.seconds):
        (_, scores), result = execute_one(request)
    return JsonAnswer(
        {
            **scores.to_json(),
            "score": scores.score,
            "passed": scores.passed,
            "verdict": scores.verdict,
            "selection": result.plan.selection,
        }
    )
