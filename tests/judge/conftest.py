from collections.abc import Iterator

import pytest
from tests.judge.chat import Chat, graded


@pytest.fixture
def chat() -> Iterator[Chat]:
    """A judge that gives everything 4."""
    server = Chat(graded(4))
    yield server
    server.close()


@pytest.fixture
def own_cache(tmp_path, monkeypatch) -> None:
    """A cache that no other test has written to."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
