"""A locked release that an advisory concerns is found, and no other."""

from datetime import date

import pytest
from tests.advisories import (
    NPM_LOCK,
    Release,
    findings,
    is_affected,
    locked_releases,
    unexcused,
)
from tests.lock import PINS

from assay.core.jsontext import loads

NPM = loads('{"packages": {"": {"version": "0"}, "node_modules/@a/b": {"version": "1.2.3"}}}')
TODAY = date(2026, 11, 16)


def advisory(name, ecosystem="PyPI", **more):
    affected = {"package": {"ecosystem": ecosystem, "name": name}, "versions": ["1.0"]}
    return {"id": f"X-{name}", "summary": "bad", "affected": [affected], **more}


def test_both_locks_are_read():
    found = locked_releases("a-b==1.0\nc==2\n", NPM)
    npm = Release("npm", "@a/b", "1.2.3")
    assert found == {Release("PyPI", "a-b", "1.0"), Release("PyPI", "c", "2"), npm}


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([{"introduced": "0"}], {"1.0", "1.5", "2.0"}),
        ([{"introduced": "0"}, {"fixed": "1.5"}], {"1.0"}),
        ([{"introduced": "1.5"}], {"1.5", "2.0"}),
        ([{"introduced": "0"}, {"last_affected": "1.5"}], {"1.0", "1.5"}),
        ([{"fixed": "1.5"}, {"introduced": "0"}, {"introduced": "2.0"}], {"1.0", "2.0"}),
        ([{"introduced": "no version"}], set()),
    ],
)
def test_ranges_are_read_as_osv_tells(events, expected):
    entry = {"ranges": [{"type": "ECOSYSTEM", "events": events}]}
    assert {version for version in ("1.0", "1.5", "2.0") if is_affected(version, entry)} == expected


def test_names_are_compared_as_their_index_does():
    releases = {Release("PyPI", "a-b", "1.0"), Release("npm", "c", "1.0")}
    given = [advisory("A_b"), advisory("c"), advisory("c", "npm"), advisory("d")]
    assert sorted(one.advisory for one in findings(releases, given)) == ["X-A_b", "X-c"]


def test_a_withdrawn_advisory_does_not_count():
    releases = {Release("PyPI", "a", "1.0")}
    assert list(findings(releases, [advisory("a", withdrawn="2026-01-01T00:00:00Z")])) == []


@pytest.mark.parametrize(("until", "left"), [(date(2026, 11, 17), 0), (TODAY, 1)])
def test_an_excuse_counts_until_its_day(until, left):
    found = list(findings({Release("PyPI", "a", "1.0")}, [advisory("a")]))
    excuse = {"advisory": "X-a", "package": "a", "reason": "not used", "until": until}
    assert len(unexcused(found, [excuse], TODAY)) == left
    assert len(unexcused(found, [{**excuse, "package": "b"}], TODAY)) == 1


def test_every_locked_version_can_be_compared():
    constraints, npm_lock = PINS.read_text("utf-8"), loads(NPM_LOCK.read_text("utf-8"))
    releases = locked_releases(constraints, npm_lock)
    assert {release.ecosystem for release in releases} == {"PyPI", "npm"}
    everything = {"ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}]}]}
    assert [one for one in releases if not is_affected(one.version, everything)] == []
