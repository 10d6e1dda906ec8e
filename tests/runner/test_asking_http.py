"""A run that asks a chat endpoint over HTTP, a well-behaved one and others."""

from collections.abc import Iterator

import pytest
from tests.faults import fault_server
from tests.faults.server import FaultServer
from tests.faults.shapes import TEXT

from assay.core import Sample
from assay.runner.answer_collector import AnswerCollector, TargetCallOptions
from assay.runner.answer_recorder import QuestionSkippedError
from assay.targets.chat import ChatTarget
from assay.targets.choose import TargetVariant, open_target

pytest.importorskip("httpx2")


@pytest.fixture(scope="module")
def server() -> Iterator[FaultServer]:
    running = fault_server()
    yield running
    running.stop()


def ask(
    server: FaultServer, shape: str, count: int, **options: object
) -> tuple[list, AnswerCollector]:
    target = ChatTarget(server.url(shape), "m", "sk-secret-key")
    asker = AnswerCollector(target, TargetCallOptions(**options))
    questions = (Sample(f"q{n}", query=f"Question {n}?") for n in range(count))
    return list(asker.items(questions)), asker


def test_every_question_is_sent_once_and_measured(server: FaultServer) -> None:
    items, _ = ask(server, "good", 40)
    assert [item.response for item in items] == [TEXT] * 40
    assert all(item.first_token_time <= item.duration for item in items)
    assert all(item.response_tokens == item.metadata["completion_tokens"] for item in items)
    sent = sorted(seen.json["messages"][-1]["content"] for seen in server.seen("good"))
    assert sent == sorted(f"Question {n}?" for n in range(40))
    assert server.is_settled()


def test_a_wrong_key_costs_a_few_calls_and_is_no_secret(server: FaultServer) -> None:
    items, asker = ask(server, "status_401", 200)
    assert all(isinstance(item, QuestionSkippedError) for item in items)
    assert len(items) == 200
    assert len(server.seen("status_401")) <= 4
    assert asker.reason
    assert not any("sk-secret-key" in str(item) for item in items)


@pytest.mark.parametrize(("shape", "fault"), [("page", "unusable"), ("status_400", "refused")])
def test_what_does_not_pass_is_asked_once_and_never_scored(
    server: FaultServer, shape: str, fault: str
) -> None:
    items, _ = ask(server, shape, 10)
    assert [f"no answer ({fault})" in str(item) for item in items] == [True] * 10
    assert len(server.seen(shape)) == 10


def test_one_attempt_is_one_request(server: FaultServer) -> None:
    items, asker = ask(server, "status_500", 3, attempts=1)
    assert len(items) == 3
    assert len(server.seen("status_500")) == 3
    assert asker.counts.answered == 0


def test_a_variant_goes_into_every_request(server: FaultServer) -> None:
    variant = TargetVariant("other-model", {"temperature": 0.5})
    target = open_target(f"openai:{server.url('good')}", variant=variant)
    before = len(server.seen("good"))
    items = list(AnswerCollector(target).items([Sample("q", query="Why?")]))
    assert [item.response for item in items] == [TEXT]
    (sent,) = server.seen("good")[before:]
    assert (sent.json["model"], sent.json["temperature"]) == ("other-model", 0.5)
    assert target.name.endswith("#other-model")
