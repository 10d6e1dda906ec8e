"""A change that makes a hot path do far more work fails here, on any machine."""

from __future__ import annotations

import sys

import pytest
from tests.work import VERSION, counted, measured_apart, peak, stated

MORE = 1.25
"""So many times the stated work fails. A path that does everything twice has 2."""
LESS = 0.6
"""Below this share of it the table no longer guards anything."""
UPDATE = "python -m tests.work --update"


@pytest.mark.skipif(sys.version_info[:2] != VERSION, reason="calls differ between versions")
def test_hot_paths_do_no_more_work_than_stated() -> None:
    work = measured_apart()
    shares = {
        f"{name}: {what}": own[what] / stated()[name][what]
        for name, own in work.items()
        for what in ("calls", "bytes")
    }
    more = {what: f"{share:.2f} times" for what, share in shares.items() if share > MORE}
    assert not more, f"work that was added; if that is meant, write the table anew: {UPDATE}"
    less = {what: f"{share:.2f} times" for what, share in shares.items() if share < LESS}
    assert not less, f"much less work than stated: tighten the guard with: {UPDATE}"


def test_a_task_that_does_everything_twice_is_seen() -> None:
    def once() -> None:
        sorted(str(number) for number in range(500))

    def twice() -> None:
        once()
        once()

    assert counted(twice) > MORE * counted(once)
    assert peak(lambda: [bytes(1000) for _ in range(200)]) > 1.9 * peak(
        lambda: [bytes(1000) for _ in range(100)]
    )
