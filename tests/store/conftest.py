"""Stores of each kind for the tests."""

import pytest

pytest.importorskip("sqlalchemy")
from tests.store.new_stores import new_sqlite

from assay.store import open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """A new store of each kind."""
    if request.param == "sqlite":
        return new_sqlite(tmp_path / "assay.db")
    return request.getfixturevalue("postgres").new_store()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request, tmp_path):
    """A database of each kind that has no table yet."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assay.db'}"
    return request.getfixturevalue("postgres").database()


@pytest.fixture
def store(url):
    opened = open_store(url)
    yield opened
    opened.close()
