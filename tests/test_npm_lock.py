"""What the dashboard is built from is known by its hash, runs no script, and is not new."""

import tomllib
from datetime import date

import pytest
from tests.npm_lock import DATES, LOCK, packages, problems

from assay.core.jsontext import loads

GOOD = {"version": "1.0.0", "integrity": "sha512-x"}


def test_every_package_is_locked_and_old_enough():
    lock = loads(LOCK.read_text(encoding="utf-8"))
    assert len(packages(lock)) > 50
    assert list(problems(lock, tomllib.loads(DATES.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    ("entry", "published", "problem"),
    [
        (GOOD, date(2026, 1, 1), ""),
        ({**GOOD, "integrity": "sha1-x"}, date(2026, 1, 1), "has no hash"),
        ({**GOOD, "hasInstallScript": True}, date(2026, 1, 1), "wants to run a script"),
        ({**GOOD, "resolved": "somewhere"}, date(2026, 1, 1), "names a place"),
        (GOOD, date(2026, 1, 9), "was 6 days old"),
        (GOOD, None, "has no date"),
    ],
)
def test_what_is_wrong_is_told(entry, published, problem):
    lock = {"packages": {"": {}, "node_modules/@a/b": entry}}
    dates = {"@a/b@1.0.0": published} if published else {}
    found = list(problems(lock, {"checked": date(2026, 1, 15), "published": dates}))
    assert [problem in one for one in found] == [True] * bool(problem)


def test_a_date_of_nothing_is_told():
    dates = {"checked": date(2026, 1, 15), "published": {"gone@1": date(2026, 1, 1)}}
    assert list(problems({"packages": {"": {}}}, dates)) == [
        "'gone@1' has a date, but is not locked"
    ]
