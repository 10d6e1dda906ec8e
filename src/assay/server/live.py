"""Answers judged as they come: scored at once, and kept so that people can look at them later."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from assay.core import DataError, Sample, Scores, UsageError
from assay.core.card import GovernanceCard
from assay.core.jsontext import dumps
from assay.data.files import fingerprint
from assay.data.policies import policy, policy_names
from assay.engine import Plan, score_batch
from assay.runner import Job
from assay.runner.governance import FAMILY, governance_profile, make_card, preset_names
from assay.runner.mask import mask_sample, mask_scores
from assay.samples import to_sample
from assay.scoring.dimensions import WeightsMode
from assay.settings import Settings
from assay.store import Store
from assay.store.run_list import LIVE, find_run
from assay.store.runs import RunPlan, start_run
from assay.store.schema import test_id
from assay.store.sessions import SERVICE
from assay.store.tests import StoredTest

ATTEMPTS = 20
"""How often a session is written when other servers write to the same run."""
_WRITING = Lock()
"""Sessions of this process are written one after the other."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer to judge, and how."""

    query: str | None = None
    response: str | None = None
    rag_documents: Sequence[Any] = ()
    metadata: Mapping[str, Any] | None = None
    weights: Mapping[str, float] | None = None
    weights_mode: WeightsMode = "replace"
    preset: str | None = None
    policy: str | None = None
    include_imputed: bool = False
    session_id: str | None = None
    service_id: str | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged answer and where it is kept."""

    card: GovernanceCard
    session_id: str
    test_id: int


def judge(store: Store, settings: Settings, asked: Asked, now: float) -> Judged:
    """Score an answer in nine dimensions and keep it as a session."""
    sample = _sample(asked)
    plan, policy = _plan(settings, asked)
    (scores,) = score_batch(plan, [sample])
    card = make_card(sample, scores, policy)
    if settings.redact:
        sample, scores = mask_sample(sample), mask_scores(scores)
        card = make_card(sample, scores, policy)
    return Judged(card, sample.id, _keep(store, plan, policy, sample, scores, now))


def card_of(store: Store, test: StoredTest) -> GovernanceCard:
    """The scorecard of a kept answer again."""
    settings = find_run(store, test.run).plan["settings"]
    return make_card(test.sample, test.scores, settings.get("policy", ""))


def _sample(asked: Asked) -> Sample:
    known = dict(asked.metadata or {})
    session = asked.session_id or known.get("session_id") or secrets.token_hex(12)
    service = asked.service_id or known.get("service_id")
    sample = to_sample(
        {
            "query": asked.query,
            "response": asked.response,
            "contexts": list(asked.rag_documents),
            "metadata": known,
        },
        str(session),
        needs_content=False,
    )
    tags = (LIVE, *((f"{SERVICE}{service}",) if service else ()))
    return replace(sample, id=str(session), tags=tags)


def _plan(settings: Settings, asked: Asked) -> tuple[Plan, str]:
    """The plan of the whole family, and the policy in force; no choice may name a file."""
    for name, chosen, known in (
        ("preset", asked.preset, preset_names()),
        ("policy", asked.policy, policy_names()),
    ):
        if chosen is not None and chosen not in known:
            raise UsageError(f"unknown {name} {chosen!r}; expected one of {', '.join(known)}")
    profile = governance_profile(
        asked.weights, asked.weights_mode, asked.preset, asked.include_imputed
    )
    profile = settings.apply(profile)
    if asked.policy is not None:
        profile = replace(profile, policy=policy(asked.policy))
    plan = Job((FAMILY,), profile, backends=settings.backends()).plan()
    return plan, profile.policy.identity


def _keep(store: Store, plan: Plan, policy: str, sample: Sample, scores: Scores, now: float) -> int:
    """Add a session to the run of its day and plan; gives the test's id."""
    metrics = {step.metric.id: (step.signature, step.threshold) for step in plan.shown}
    decided = RunPlan(metrics, {"policy": policy})
    day = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"
    name = f"{LIVE}-{day}-{fingerprint(dumps(decided.to_json()))}"
    with _WRITING:
        for attempt in range(1, ATTEMPTS + 1):
            writer = start_run(
                store, name, decided, resume=True, source=LIVE, tags=(LIVE,), now=lambda: now
            )
            try:
                writer.record([sample], [scores])
            except DataError:  # another server was quicker: its session has our place
                if attempt == ATTEMPTS:
                    raise
            else:
                return test_id(writer.id, writer.places - 1)
    raise AssertionError("the last attempt returns or raises")
