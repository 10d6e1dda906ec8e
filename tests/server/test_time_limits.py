"""What somebody waits for has a limit: of its size before, of its time while it is done."""

import pytest
from tests.server.client import Client

from assay.server.config import RequestLimits


@pytest.fixture
def hasty(tmp_path):
    limits = RequestLimits(characters=1000, seconds=-1.0)  # over before it begins
    url = f"sqlite:///{tmp_path / 'assay.db'}"
    with Client(url, tmp_path, require_key=False, limits=limits) as made:
        yield made


BODIES = {
    "/v1/score": lambda sample: {"sample": sample, "metrics": ["text.safety"]},
    "/v1/collect?run=r&metrics=text.safety": lambda sample: sample,
}


@pytest.mark.parametrize("path", BODIES)
def test_a_sample_that_takes_too_long_is_given_up(hasty, path):
    answer = hasty.post(path, role=None, json=BODIES[path]({"response": "Fine."}))
    assert (answer.status_code, "longer than -1 seconds" in answer.text) == (503, True)
    assert "post a job" in answer.text


@pytest.mark.parametrize("path", BODIES)
def test_a_sample_that_is_too_large_is_not_begun(hasty, path):
    answer = hasty.post(path, role=None, json=BODIES[path]({"response": "x" * 1000}))
    assert (answer.status_code, "POST /v1/jobs" in answer.text) == (413, True)


def test_a_comparison_that_takes_too_long_is_given_up(hasty):
    for run in ("a", "b"):
        hasty.app.state.config = type(hasty.config)(hasty.config.settings, require_key=False)
        for number in range(3):
            sample = {"test_name": f"t{number}", "response": "Fine."}
            path = f"/v1/collect?run={run}&metrics=text.safety"
            assert hasty.post(path, role=None, json=sample).status_code == 201
    assert hasty.get("/v1/compare?a=a&b=b", role=None).status_code == 200
    hasty.app.state.config = hasty.config
    answer = hasty.get("/v1/compare?a=a&b=b", role=None)
    assert (answer.status_code, "ask for less" in answer.text) == (503, True)
