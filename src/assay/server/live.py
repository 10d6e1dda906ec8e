"""Answers judged as they come: scored at once, and kept so that people can look at them later."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from assay.core import Sample, UsageError
from assay.core.card import GovernanceCard
from assay.core.jsontext import dumps
from assay.data import Profile
from assay.data.bundled_files import fingerprint
from assay.data.policies import policy_names
from assay.runner.execute import RecordRequest
from assay.runner.governance import (
    execute_card,
    governance_profile,
    governance_request,
    make_card,
    preset_names,
)
from assay.samples import to_sample
from assay.scoring.dimensions import WeightsMode
from assay.settings import Settings
from assay.store import Store
from assay.store.live_sessions import SERVICE
from assay.store.run_list import LIVE, find_run
from assay.store.run_writer import RunPlan
from assay.store.statistics import iso
from assay.store.tests import StoredTest


@dataclass(frozen=True, slots=True)
class LiveRequest:
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
class LiveResult:
    """A judged answer and where it is kept."""

    card: GovernanceCard
    session_id: str
    test_id: int


def judge(store: Store, settings: Settings, live_request: LiveRequest, now: float) -> LiveResult:
    """Score an answer in nine dimensions and keep it as a session."""
    profile = _profile(live_request)
    own = settings.override({"policy": live_request.policy})
    policy = own.apply(profile).policy.identity
    record = RecordRequest(
        store=store,
        name=lambda plan: _run_name(plan, now),
        stays_open=True,
        tags=(LIVE,),
        decided_by={"policy": policy},
        now=lambda: now,
    )
    request = governance_request(
        [_sample(live_request, now)], profile, own, record=record, source=LIVE
    )
    card, result = execute_card(request)
    return LiveResult(card, card.id, result.test_ids[0])


def _run_name(plan: RunPlan, now: float) -> str:
    """One run for each day and plan."""
    day = f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"
    return f"{LIVE}-{day}-{fingerprint(dumps(plan.to_json()))}"


def card_of(store: Store, test: StoredTest) -> GovernanceCard:
    """The scorecard of a kept answer again."""
    settings = find_run(store, test.run).plan["settings"]
    return make_card(test.sample, test.scores, settings.get("policy", ""))


def _sample(request: LiveRequest, now: float) -> Sample:
    """The answer as a sample; its session and time are part of what is known of the call."""
    known = dict(request.metadata or {})
    session = request.session_id or known.get("session_id") or secrets.token_hex(12)
    service = request.service_id or known.get("service_id")
    sample = to_sample(
        {
            "query": request.query,
            "response": request.response,
            "contexts": list(request.rag_documents),
            "metadata": {"timestamp": iso(now), **_present(known), "session_id": str(session)},
        },
        str(session),
        needs_content=False,
    )
    tags = (LIVE, *((f"{SERVICE}{service}",) if service else ()))
    return replace(sample, id=str(session), tags=tags)


def _present(known: Mapping[str, Any]) -> dict[str, Any]:
    """Without a time that says nothing, which the server's own stands in for."""
    return {name: value for name, value in known.items() if name != "timestamp" or value}


def _profile(live_request: LiveRequest) -> Profile:
    """The profile of the whole family; no choice may name a file."""
    for name, chosen, known in (
        ("preset", live_request.preset, preset_names()),
        ("policy", live_request.policy, policy_names()),
    ):
        if chosen is not None and chosen not in known:
            raise UsageError(f"unknown {name} {chosen!r}; expected one of {', '.join(known)}")
    return governance_profile(
        live_request.weights,
        live_request.weights_mode,
        live_request.preset,
        live_request.include_imputed,
    )
