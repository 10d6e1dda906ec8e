import os

import pytest

from assay.backends import idle


@pytest.mark.parametrize(("load", "expected"), [(0.2, 8), (3.4, 5), (7.9, 1), (40.0, 1)])
def test_processors_that_others_use_are_left_to_them(monkeypatch, load, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(8)), raising=False)
    monkeypatch.setattr(os, "getloadavg", lambda: (load, 9.0, 9.0), raising=False)
    assert idle.idle_processors() == expected


def test_a_worker_uses_one_processor(monkeypatch):
    monkeypatch.setattr(os, "getloadavg", lambda: (0.0, 0.0, 0.0), raising=False)
    monkeypatch.setattr(idle, "parent_process", lambda: object())
    assert idle.idle_processors() == 1


def test_a_system_that_does_not_tell_its_load_gets_one(monkeypatch):
    monkeypatch.delattr(os, "getloadavg", raising=False)
    assert idle.idle_processors() == 1
