import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
from tests.server.client import Client


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """An empty store of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'assay.db'}"
    return request.getfixturevalue("postgres").database()


@pytest.fixture
def client(tmp_path):
    """A server over an empty SQLite store that asks for keys."""
    with Client(f"sqlite:///{tmp_path / 'assay.db'}", tmp_path) as made:
        yield made


@pytest.fixture
def any_client(url, tmp_path):
    """The same over a store of each kind."""
    with Client(url, tmp_path) as made:
        yield made
