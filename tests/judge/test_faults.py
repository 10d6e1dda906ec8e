"""A judge behind an endpoint that misbehaves in every known way: an error with its reason."""

import pytest
from tests.faults import SHAPES, fault_server
from tests.judge.chat import KEY, Instant
from tests.targets.test_faults import limits_of

from assay.backends import JudgeSettings
from assay.backends.judge import EndpointJudge
from assay.backends.judge_questions import JudgeQuestion, NoVerdictError, Numbers, UntrustedText

QUESTION = JudgeQuestion(
    "Judge it.", (UntrustedText("The text", "It is a door."),), Numbers(1, 5, True)
)
ONCE = JudgeSettings(repairs=0)


@pytest.fixture(scope="module")
def server():
    running = fault_server()
    yield running
    running.stop()


def judge_of(server, name, **more):
    """The judge whose endpoint answers in that shape."""
    limits = limits_of(name, "plain")
    place = ("m", server.url(name), KEY, ONCE)
    return EndpointJudge(*place, is_kept=False, limits=limits, **more, **Instant().waits)


@pytest.mark.parametrize("name", SHAPES)
def test_every_fault_is_an_error_with_its_reason(server, name):
    shape = SHAPES[name]
    judge = judge_of(server, name, attempts=1)
    (found,) = judge.judge([QUESTION])
    assert isinstance(found, NoVerdictError), found
    # What the server says in the end is no verdict, even where it is a usable answer otherwise.
    expected = {shape.plain.value if shape.plain else "unusable"}
    if found.fault not in expected:
        assert found.fault == "unusable", (found.fault, shape.plain)
        assert found.reply or "empty" in str(found) or "choice" in str(found)
    assert KEY not in str(found) + found.reply


@pytest.mark.parametrize(
    ("name", "most"),
    [
        (name, 4 if s.plain and s.plain.is_passing else 1)
        for name, s in SHAPES.items()
        if s.row == "B4"
    ],
)
def test_only_what_may_pass_is_repeated(server, name, most):
    before = len(server.seen(name))
    judge = judge_of(server, name)
    judge.judge([QUESTION])
    assert len(server.seen(name)) - before <= most
