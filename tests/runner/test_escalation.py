"""What is unsure goes to a judge on this machine, or waits for people."""

import json

import pytest
from tests.judge.chat import Chat, graded

import assay
from assay.backends import Backends
from assay.backends.judge_settings import JudgeSettings
from assay.core import DataError, Document, Result, Sample, SampleError, metric
from assay.data import Profile
from assay.data.escalation import escalation_rubric
from assay.engine import make_plan, score_batch
from assay.registry import metrics as known_metrics
from assay.runner.escalation import Escalation, EscalationRequest
from assay.runner.label_queue import Label, LabelQueue, QueueEntry

TOXICITY = "safety.toxicity"
OPEN = "You are not exactly a genius, are you."


@metric(
    id="own.share", inputs=(), range=(0, 1), polarity="higher", threshold=0.5, unsure=(0.2, 0.8)
)
def share(response):
    """A metric that no judge is asked about."""
    return Result(0.5, "It may be so.")


def sample(id, response=OPEN, **fields):
    return Sample(id, query="What do you think of me?", response=response, **fields)


@pytest.fixture
def chat(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path / "cache"))
    server = Chat(graded("yes", "It sneers at the reader", quote="not exactly a genius"))
    yield server
    server.close()


@pytest.fixture
def queue(tmp_path):
    return tmp_path / "unsure.jsonl"


def escalated(items, queue, judge="", metric=TOXICITY, *, redact=False, **judging):
    """The scores of items that are all unsure, after escalation, and the escalation."""
    known = {**known_metrics(), "own.share": share}
    unsure = {} if metric == "own.share" else {metric: (0.0, 1.0)}
    backends = Backends(judge=judge, judging=JudgeSettings(redact=redact, **judging))
    plan = make_plan([known[metric]], Profile(unsure=unsure), known, backends=backends)
    samples = [item for item in items if isinstance(item, Sample)]
    escalation = Escalation(EscalationRequest(str(queue)), plan, backends, redact=redact)
    scored = escalation.settle(items, score_batch(plan, samples))
    return scored, escalation


def lines(queue):
    return [json.loads(line) for line in queue.read_text().splitlines()]


def test_the_judge_decides_and_the_sample_follows(chat, queue):
    (scores,), escalation = escalated([sample("a")], queue, chat.spec)
    result = scores[TOXICITY]
    assert (result.verdict, result.passed) == ("fail", False)
    assert (scores.verdict, scores.status, scores.is_unsure) == ("fail", "failed", False)
    assert scores.failure is not None
    assert result.details["decided_by"] == "judge"
    assert result.details["reason"] == "It sneers at the reader"
    assert "the judge says 'yes', because “It sneers at the reader”" in result.explanation
    assert result.explanation.count(". ") == 0
    marked = [sample("a").response[s.start : s.end] for s in result.evidence]
    assert "not exactly a genius" in marked
    assert escalation.counts.by_judge == 1
    assert escalation.spent.calls == 1
    (asked,) = chat.asked
    assert "Is the response toxic?" in asked.system + asked.user
    assert asked.plain(0) == OPEN


@pytest.mark.parametrize("named", [False, True])
def test_a_call_from_python_escalates_too(chat, queue, named, monkeypatch):
    monkeypatch.chdir(queue.parent)
    report = assay.evaluate(
        [{"id": "a", "response": OPEN}],
        metrics=[TOXICITY],
        unsure={TOXICITY: "0:1"},
        judge=chat.spec,
        escalate=queue.with_name("named.jsonl") if named else True,
        settings=None,
    )
    assert report.scores[0].verdict == "fail"
    assert report.summary.judge["calls"] == 1
    assert len(lines(queue.with_name("named.jsonl") if named else queue)) == 1


def test_contexts_are_shown_one_by_one(chat, queue):
    contexts = (Document("The shop opens at nine."), Document("It closes at six."))
    given = sample("a", "It is open from nine to six.", contexts=contexts)
    (scores,), _ = escalated([given], queue, chat.spec, metric="rag.faithfulness")
    assert scores.verdict == "pass"  # here yes is good
    (asked,) = chat.asked
    assert {asked.plain(n) for n in range(len(asked.texts))} >= {one.content for one in contexts}
    assert len(lines(queue)[0]["contexts"]) == 2


def test_the_value_stays_the_metrics_own(chat, queue):
    chat.answer = graded("no")
    (scores,), _ = escalated([sample("a")], queue, chat.spec)
    (before,), _ = escalated([sample("a")], queue.with_name("other.jsonl"))
    assert scores[TOXICITY].value == before[TOXICITY].value
    assert before.verdict == "unsure"
    assert scores.verdict == "pass"


def test_what_was_said_is_kept_and_not_asked_again(chat, queue):
    escalated([sample("a"), sample("b", "You fool.")], queue, chat.spec)
    assert [line["label"] for line in lines(queue)] == ["fail", "fail"]
    assert {line["by"] for line in lines(queue)} == {"judge"}
    (scores, _), escalation = escalated([sample("z"), sample("b", "You fool.")], queue, chat.spec)
    assert len(chat.asked) == 2
    assert escalation.counts.by_label == 2
    assert scores.verdict == "fail"
    assert "the judge labelled it 'fail'" in scores[TOXICITY].explanation
    assert len(lines(queue)) == 2


def test_without_a_judge_samples_wait_and_follow_what_people_say(queue):
    (scores,), escalation = escalated([sample("a")], queue)
    assert (scores.verdict, escalation.counts.waiting) == ("unsure", 1)
    (line,) = lines(queue)
    assert (line["id"], line["metric"], line["label"], line["by"]) == ("a", TOXICITY, "", "")
    assert line["response"] == OPEN
    escalated([sample("a")], queue)
    assert len(lines(queue)) == 1
    queue.write_text(json.dumps({**line, "label": "Pass", "by": "Mina"}) + "\n")
    (scores,), escalation = escalated([sample("a")], queue)
    assert (scores.verdict, escalation.counts.by_label) == ("pass", 1)
    assert scores[TOXICITY].details["decided_by"] == "Mina"
    assert scores[TOXICITY].explanation.endswith("this is unsure, and Mina labelled it 'pass'.")


def test_another_text_under_the_same_id_is_another_sample(queue):
    escalated([sample("a")], queue)
    (line,) = lines(queue)
    queue.write_text(json.dumps({**line, "label": "pass"}) + "\n")
    (scores,), _ = escalated([sample("a", "You idiot.")], queue)
    assert scores.verdict == "unsure"
    assert len(lines(queue)) == 2


def test_people_go_before_the_judge(chat, queue):
    escalated([sample("a")], queue)
    (line,) = lines(queue)
    queue.write_text(json.dumps({**line, "label": "pass"}) + "\n")
    (scores,), _ = escalated([sample("a")], queue, chat.spec)
    assert (scores.verdict, chat.asked) == ("pass", [])


def test_a_judge_without_a_verdict_leaves_the_sample_to_people(chat, queue):
    chat.answer = lambda asked: (400, "{}")
    (scores,), escalation = escalated([sample("a")], queue, chat.spec)
    assert scores.verdict == "unsure"
    assert "error" in scores[TOXICITY].details["judge"]
    assert (escalation.counts.failed, escalation.counts.waiting) == (1, 1)
    assert [line["label"] for line in lines(queue)] == [""]
    chat.answer = graded("no")
    (scores,), _ = escalated([sample("a")], queue, chat.spec)
    assert scores.verdict == "pass"
    assert [line["label"] for line in lines(queue)] == ["", "pass"]
    assert LabelQueue(queue).label(sample("a"), TOXICITY).verdict == "pass"


def test_caps_hold(chat, queue):
    items = [sample(str(n), f"{OPEN} {n}") for n in range(4)]
    scored, escalation = escalated(items, queue, chat.spec, max_calls=2)
    assert len(chat.asked) == 2
    assert escalation.counts.by_judge == 2
    assert sorted(one.status for one in scored) == ["failed", "failed", "unsure", "unsure"]


def test_a_metric_that_no_question_is_known_for_waits(chat, queue):
    (scores,), escalation = escalated([sample("a")], queue, chat.spec, metric="own.share")
    assert (scores.verdict, escalation.counts.waiting, chat.asked) == ("unsure", 1, [])
    assert escalation.counts.failed == 0


def test_decided_samples_and_unusable_records_are_left_alone(chat, queue):
    items = [SampleError("no object"), sample("a"), SampleError("no object"), sample("b", "Fine.")]
    scored, _ = escalated(items, queue, chat.spec)
    assert [one.id for one in scored] == ["a", "b"]
    plan = make_plan([known_metrics()[TOXICITY]])
    decided = score_batch(plan, [sample("a")])
    escalation = Escalation(EscalationRequest(str(queue)), plan, Backends(judge=chat.spec))
    asked = len(chat.asked)
    assert escalation.settle([sample("a")], decided) == decided
    assert len(chat.asked) == asked


def test_the_majority_of_repeated_verdicts_counts_and_of_a_tie_the_worse(chat, queue):
    answers = iter(["yes", "no", "no"])
    chat.answer = lambda asked: graded(next(answers))(asked)
    (scores,), _ = escalated([sample("a")], queue, chat.spec, repeats=3)
    assert scores.verdict == "pass"
    answers = iter(["yes", "no"])
    (scores,), _ = escalated([sample("b", "You fool.")], queue, chat.spec, repeats=2)
    assert scores.verdict == "fail"


def test_personal_data_is_neither_shown_nor_kept(chat, queue):
    text = f"{OPEN} Write to jane.doe@example.org."
    escalated([sample("a", text)], queue, chat.spec, redact=True)
    assert "jane.doe" not in chat.asked[0].user
    assert "jane.doe" not in queue.read_text()
    escalated([sample("a", text)], queue, chat.spec, redact=True)
    assert len(chat.asked) == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "key": "x", "label": "maybe"}', "label is 'maybe'; expected 'pass', 'fail'"),
        ('{"id": "a", "label": "pass"}', "expected a line that --escalate has written"),
        ("nonsense", "expected a line that --escalate has written"),
    ],
)
def test_a_queue_that_is_none_is_refused(queue, line, message):
    queue.write_text(line + "\n")
    with pytest.raises(DataError, match=message):
        LabelQueue(queue)


def test_a_label_in_any_case_and_blank_ones(queue):
    result = Result(0.5, "", metric=TOXICITY)
    assert LabelQueue(queue).add([QueueEntry(sample("a"), result)]) == 1
    assert LabelQueue(queue).label(sample("a"), TOXICITY) is None
    (line,) = lines(queue)
    queue.write_text(json.dumps({**line, "label": " FAIL "}))
    assert LabelQueue(queue).label(sample("a"), TOXICITY) == Label("fail")


def test_whatever_a_sample_holds_can_be_kept(queue):
    strange = Sample(
        "a\ud800",
        response="half \udfff",
        contexts=(Document("A context.", "d1"), Document("Another.")),
        expected_json={"price": float("nan")},
        tool_calls=({"name": "f", "arguments": {"x": [1, 2.5]}},),
    )
    result = Result(0.5, "Why.", metric=TOXICITY)
    assert LabelQueue(queue).add([QueueEntry(strange, result, Label("pass"))]) == 1
    assert LabelQueue(queue).label(strange, TOXICITY) == Label("pass")
    assert LabelQueue(queue).label(sample("a"), TOXICITY) is None
    (line,) = lines(queue)
    assert line["contexts"][1] == {"content": "Another."}


def test_every_question_is_about_a_metric_that_has_a_verdict():
    for id, known in known_metrics().items():
        rubric = escalation_rubric(id)
        if rubric is None:
            continue
        assert known.threshold is not None, id
        assert {*rubric.inputs, *rubric.optional} <= {"query", "response", "expected", "contexts"}
        values = {choice.label: choice.value for choice in rubric.answers}
        expected = {"higher": (1.0, 0.0), "lower": (0.0, 1.0)}[known.polarity]
        assert (values["yes"], values["no"]) == expected, id
    assert escalation_rubric("rag.faithfulness") is not None
