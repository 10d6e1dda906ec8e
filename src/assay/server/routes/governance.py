"""Answers judged in nine dimensions as they come, and their figures by session and service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import Header, Query, Request

from assay import registry
from assay.core import Result, UsageError
from assay.core.card import verdict
from assay.core.plain import sendable
from assay.runner.governance import FAMILY, INVERTED, OVERALL
from assay.scoring.dimensions import DIMENSIONS, PREFIX
from assay.server.access import role
from assay.server.events import Event, EventStream
from assay.server.live import LiveRequest, LiveResult, card_of, judge
from assay.server.overview import why_absent
from assay.server.requests import (
    Hours,
    JsonAnswer,
    Now,
    Since,
    TheConfig,
    ThePart,
    TheStore,
    make_router,
)
from assay.server.routes.feedback import feedback_entry
from assay.server.routes.jobs import job_entry
from assay.server.routes.policies import MODES
from assay.server.schemas.base import Label, Page
from assay.server.schemas.governance import (
    CardAnswer,
    DimensionEntry,
    EvaluateBody,
    ServiceEntry,
    ServiceStats,
    SessionAnswer,
    SessionEntry,
)
from assay.store import Store
from assay.store.feedback import list_feedback
from assay.store.jobs import list_jobs
from assay.store.live_sessions import (
    SERVICE,
    Session,
    find_session,
    list_services,
    list_sessions,
    newest_session,
)
from assay.store.run_list import LIVE
from assay.store.statistics import MetricCounts, StatisticsFilter, iso, metric_counts, test_counts
from assay.store.tests import StoredTest, find_test, shown_id

router = make_router("governance")

MAX_TURNS = 50
"""Answers of a session that are shown whole."""
EVENTS = 100
"""Sessions that one look tells at most."""


@router.post("/v1/evaluate", operation_id="evaluate_answer", response_model=CardAnswer)
@role("write")
def evaluate(body: EvaluateBody, store: TheStore, config: TheConfig, now: Now) -> JsonAnswer:
    """Judge one answer in nine dimensions, and keep it as a session."""
    given = body.model_dump(exclude={"compliance_mode"})
    if body.compliance_mode is not None:
        if body.policy is not None:
            raise UsageError("expected either 'policy' or 'compliance_mode'")
        given["policy"] = MODES[body.compliance_mode]
    return JsonAnswer(_card(judge(store, config.settings, LiveRequest(**given), now)))


def _card(judged: LiveResult) -> dict[str, Any]:
    kept = {"session_id": judged.session_id, "test_id": shown_id(judged.test_id)}
    return {**judged.card.to_json(), **kept}


@router.get("/v1/sessions", operation_id="list_sessions")
@role("read")
def get_sessions(
    store: TheStore,
    since: Since,
    part: ThePart,
    service: Annotated[Label | None, Query()] = None,
) -> Page[SessionEntry]:
    """Judged answers, the newest first."""
    result, total = list_sessions(
        store,
        OVERALL,
        INVERTED,
        service=service,
        since=since,
        limit=part.limit,
        offset=part.offset,
    )
    return part.page(map(_session, result), total)


def _session(session: Session) -> SessionEntry:
    return SessionEntry(
        session_id=session.session_id,
        test_id=shown_id(session.test_id),
        timestamp=iso(session.timestamp),
        query=session.query,
        overall_score=session.overall_score,
        verdict=verdict(session.overall_score),
        has_unsupported_claims=session.has_unsupported_claims,
        service_id=session.service,
    )


@router.get("/v1/sessions/{session_id}", operation_id="get_session", response_model=SessionAnswer)
@role("read")
def get_session(session_id: Label, store: TheStore) -> JsonAnswer:
    """A session: its answers with their cards, and the feedback on them."""
    tests = find_session(store, session_id)
    turns = [find_test(store, id) for id in tests[:MAX_TURNS]]
    comments = [entry for id in tests[:MAX_TURNS] for entry in list_feedback(store, id)[0]]
    return JsonAnswer(
        {
            "session_id": session_id,
            "service_id": _service(turns[0]),
            "turns": [_turn(store, test) for test in turns],
            "total": len(tests),
            "feedback": [feedback_entry(entry).model_dump() for entry in comments],
        }
    )


def _turn(store: Store, test: StoredTest) -> dict[str, Any]:
    judged = LiveResult(card_of(store, test), test.sample.id, test.test_id)
    return {
        "test_id": shown_id(test.test_id),
        "timestamp": iso(test.timestamp),
        "query": sendable(test.sample.query),
        "response": sendable(test.sample.response),
        "card": sendable(_card(judged)),
    }


def _service(test: StoredTest) -> str | None:
    tags = (tag for tag in test.sample.tags if tag.startswith(SERVICE))
    return next((tag.removeprefix(SERVICE) for tag in tags), None)


@router.get("/v1/services", operation_id="list_services")
@role("read")
def get_services(store: TheStore) -> list[ServiceEntry]:
    """The systems whose answers were judged: `service_id` of their evaluations."""
    return [
        ServiceEntry(id=service.id, sessions=service.sessions, last=iso(service.last))
        for service in list_services(store)
    ]


@router.get("/v1/services/{service_id}/stats", operation_id="get_service_stats")
@role("read")
def get_service_stats(
    service_id: Label, store: TheStore, now: Now, since: Since, hours: Hours = None
) -> ServiceStats:
    """Figures of the answers of one service."""
    window = StatisticsFilter.before(now, hours, tag=SERVICE + service_id)
    return _stats(store, window, since, service_id)


@router.get("/v1/metrics/summary", operation_id="get_governance_summary")
@role("read")
def get_summary(store: TheStore, now: Now, since: Since, hours: Hours = None) -> ServiceStats:
    """Figures of the judged answers of all services."""
    return _stats(store, StatisticsFilter.before(now, hours, tag=LIVE), since, None)


def _stats(
    store: Store, window: StatisticsFilter, since: float | None, service: str | None
) -> ServiceStats:
    tests, counts = store.read(
        lambda connection: (test_counts(connection, window), metric_counts(connection, window))
    )
    own = {id: count for id, count in counts.items() if id.startswith(f"{FAMILY}.")}
    composed = {OVERALL, *(PREFIX + name for name in DIMENSIONS)}
    newest, _ = list_sessions(store, OVERALL, service=service, since=since, limit=1)
    results = find_test(store, newest[0].test_id).scores.results if newest else {}
    return ServiceStats(
        service_id=service,
        sessions=tests.total,
        overall=_figures(own, results, OVERALL),
        verdict=verdict(own[OVERALL].mean) if OVERALL in own else None,
        dimensions={name: _figures(own, results, PREFIX + name) for name in DIMENSIONS},
        metrics={
            id.removeprefix(f"{FAMILY}."): _figures(own, results, id)
            for id in own
            if id not in composed
        },
    )


def _figures(
    counts: Mapping[str, MetricCounts], newest: Mapping[str, Result], id: str
) -> DimensionEntry:
    own_counts = counts.get(id, MetricCounts())
    return DimensionEntry(
        reason=_why_absent(id, own_counts, newest),
        count=own_counts.count,
        mean=own_counts.mean,
        minimum=own_counts.minimum,
        maximum=own_counts.maximum,
        deviation=own_counts.deviation,
    )


def _why_absent(id: str, counts: MetricCounts, newest: Mapping[str, Result]) -> str | None:
    """Why no answer has this score: what the newest one says of it, and of the first part of it."""
    if counts.count or id not in newest:
        return why_absent(id, counts)
    parts = [newest[part] for part in _parts(id) if part in newest]
    lacking = next((part.explanation for part in parts if part.state == "missing"), "")
    return " ".join(filter(None, (newest[id].explanation, lacking)))


def _parts(id: str) -> Sequence[str]:
    metric = registry.metrics().get(id)
    return metric.options["metrics"] if metric and metric.is_composite else ()


@router.get(
    "/v1/stream",
    operation_id="watch_all",
    response_class=EventStream,
    status_code=200,
    responses={200: {"content": {"text/event-stream": {}}, "description": "What happens."}},
)
@router.get(
    "/agent-eval/events", include_in_schema=False, response_class=EventStream, status_code=200
)
@role("read")
def watch_all(
    request: Request,
    store: TheStore,
    now: Now,
    last_event_id: Annotated[str | None, Header(pattern=r"^[0-9a-f]{16}$")] = None,
) -> EventStream:
    """Judged answers and jobs as they happen: server-sent events `session` and `job`.

    A client that comes back with `Last-Event-ID` misses no session, up to a hundred.
    """
    start = newest_session(store) if last_event_id is None else int(last_event_id, 16)
    seen = {"session": start, "job": now}

    def look() -> tuple[list[Event], bool]:
        after = min(int(seen["session"]), 2**63 - 1)
        sessions, _ = list_sessions(store, OVERALL, INVERTED, after=after, limit=EVENTS)
        jobs, _ = list_jobs(store, since=seen["job"], limit=EVENTS)
        seen["session"] = max([after, *(session.test_id for session in sessions)])
        seen["job"] = max([seen["job"], *(job.updated for job in jobs)])
        events = [
            Event("session", _session(session).model_dump(), shown_id(session.test_id))
            for session in reversed(sessions)
        ]
        events += [Event("job", job_entry(job).model_dump()) for job in reversed(jobs)]
        return events, False

    return EventStream(request.app, look)
