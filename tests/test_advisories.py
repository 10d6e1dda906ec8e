"""A locked release that an advisory concerns is found, and no other."""

import sys
from datetime import UTC, date, datetime, timedelta
from zipfile import ZipFile

import pytest
from tests.advisories import (
    NPM_LOCK,
    Release,
    findings,
    is_affected,
    locked_releases,
    main,
    unexcused,
)
from tests.lock import PINS, pins

from assay.core.jsontext import dumps, loads

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


PIN = next(pin.key for pin in pins(PINS.read_text("utf-8")))


def database(kind, folder, advisories):
    """Advisories in one of the forms in which they are offered."""
    if kind == "list":
        path = folder / "all.json"
        path.write_text(dumps(advisories), encoding="utf-8")
        return path
    if kind == "zip":
        with ZipFile(folder / "all.zip", "w") as archive:
            for one in advisories:
                archive.writestr(f"{one['id']}.json", dumps(one))
        return folder / "all.zip"
    for one in advisories:
        place = folder / "2026" / one["id"]
        place.mkdir(parents=True)
        (place / f"{one['id']}.json").write_text(dumps(one), encoding="utf-8")
    return folder


@pytest.mark.parametrize("kind", ["folder", "zip", "list"])
@pytest.mark.parametrize(
    ("name", "days", "code", "told"),
    [
        (PIN.split("==")[0], 0, 1, f"{PIN}: X-1 bad"),
        ("no-package-of-ours", 0, 0, "2 advisories up to"),
        ("no-package-of-ours", 30, 1, "which is too old"),
    ],
    ids=["affected", "not affected", "old"],
)
def test_the_command_reads_a_database_in_any_form(
    tmp_path, monkeypatch, capsys, kind, name, days, code, told
):
    changed = f"{datetime.now(UTC).date() - timedelta(days)}T00:00:00Z"
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]
    affected = [{"package": {"ecosystem": "PyPI", "name": name}, "ranges": ranges}]
    given = [
        {"id": "X-1", "modified": changed, "summary": "bad", "affected": affected},
        {"id": "X-2", "modified": "2020-01-01T00:00:00Z", "affected": []},
    ]
    monkeypatch.setattr(sys, "argv", ["advisories", str(database(kind, tmp_path, given))])
    with pytest.raises(SystemExit) as ended:
        main()
    assert int(ended.value.code) == code
    assert told in capsys.readouterr().out


def test_an_empty_database_is_no_clean_result(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["advisories", str(tmp_path)])
    with pytest.raises(SystemExit, match="nothing was looked at"):
        main()
