"""Stores of each kind for the tests."""

import pytest

pytest.importorskip("sqlalchemy")
from assay.store import open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assay.db'}"
    return request.getfixturevalue("postgres").database()


@pytest.fixture
def store(url):
    opened = open_store(url)
    yield opened
    opened.close()
