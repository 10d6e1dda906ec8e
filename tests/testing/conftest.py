"""Pytest within pytest: what the inner one imports must be there before, for numpy loads once."""

import pytest

from assay.store import open_store
from assay.store.run_writer import RunPlan, start_run
from assay.testing import Quality, golden_cases, session_end  # noqa: F401 -- imported early


@pytest.fixture(scope="session", autouse=True)
def warm(tmp_path_factory):
    """Import all that a quality test imports when it is used."""
    Quality().score(response="Call 555-014-2297.", metrics=["text", "chat.fallback_detected"])
    store = open_store(str(tmp_path_factory.mktemp("warm") / "store.db"))
    start_run(store, "warm", RunPlan({"text.safety": ("s", None)}, {}))
    store.close()


@pytest.fixture
def inner(pytester, monkeypatch):
    """A pytester whose runs have our plugin and xdist, and no others of this environment."""
    without = ("asyncio", "cacheprovider", "hypothesispytest", "schemathesis")
    monkeypatch.setenv("PYTEST_ADDOPTS", " ".join(f"-p no:{name}" for name in without))
    monkeypatch.setenv("COLUMNS", "100")
    return pytester
