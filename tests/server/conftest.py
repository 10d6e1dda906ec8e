import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
from tests.server.client import Client
from tests.store.conftest import url  # noqa: F401 -- a fixture of these tests too
from tests.store.new_stores import new_sqlite


@pytest.fixture
def client(tmp_path):
    """A server over an empty SQLite store that asks for keys."""
    with Client(new_sqlite(tmp_path / "assay.db"), tmp_path) as made:
        yield made


@pytest.fixture
def any_client(url, tmp_path):  # noqa: F811 -- the fixture
    """The same over a store of each kind."""
    with Client(url, tmp_path) as made:
        yield made
