"""What holds for all tests."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Vectors are kept in a folder of the test run, never in the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("ASSAY_CACHE", raising=False)
        yield
