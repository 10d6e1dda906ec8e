"""Answers that were judged live, found again."""

from dataclasses import replace

import pytest
from tests.store.scored import NOON, RUN_PLAN, make_samples, score, stored_run

from assay.core import NotFoundError
from assay.store.live_sessions import (
    SERVICE,
    find_session,
    list_services,
    list_sessions,
    newest_session,
)
from assay.store.run_list import LIVE
from assay.store.run_writer import start_run

METRIC = "text.safety"


def keep(store, session, service=None, at=NOON, run="live-1"):
    """One judged answer; gives its score."""
    tags = (LIVE, *((SERVICE + service,) if service else ()))
    (sample,) = make_samples(1)
    sample = replace(sample, id=session, tags=tags)
    writer = start_run(store, run, RUN_PLAN, resume=True, source=LIVE, now=lambda: at)
    (scores,) = score([sample])
    writer.record([sample], [scores])
    return scores[METRIC].value


def test_sessions_are_listed_newest_first_over_all_runs(store):
    stored_run(store, make_samples(3), "other")
    assert newest_session(store) == 0
    value = keep(store, "a", "bot")
    keep(store, "b", "bot", at=NOON + 20, run="live-2")
    keep(store, "c", "o%t_er", at=NOON + 10)
    found, total = list_sessions(store, METRIC)
    assert [(s.session_id, s.service) for s in found] == [
        ("b", "bot"),
        ("c", "o%t_er"),
        ("a", "bot"),
    ]
    assert (total, found[2].overall_score, found[2].timestamp) == (3, value, NOON)
    assert [s.session_id for s in list_sessions(store, METRIC, service="bot")[0]] == ["b", "a"]
    assert [s.session_id for s in list_sessions(store, METRIC, since=NOON + 10)[0]] == ["b", "c"]
    after = found[2].test_id
    assert {s.session_id for s in list_sessions(store, METRIC, after=after)[0]} == {"b", "c"}
    assert [s.session_id for s in list_sessions(store, METRIC, limit=1, offset=1)[0]] == ["c"]
    assert newest_session(store) == found[0].test_id


def test_a_session_may_have_several_answers(store):
    for at in (NOON, NOON + 5):
        keep(store, "a\0", at=at)
    keep(store, "b")
    assert len(find_session(store, "a\0")) == 2
    first, second = find_session(store, "a\0")
    assert first > second
    with pytest.raises(NotFoundError, match="no session 'sample-1'"):
        find_session(store, "sample-1")


def test_services_are_counted(store):
    for session, service in (("a", "x"), ("b", "y"), ("c", "x"), ("d", None)):
        keep(store, session, service)
    assert [(s.id, s.sessions, s.last) for s in list_services(store)] == [
        ("x", 2, NOON),
        ("y", 1, NOON),
    ]
