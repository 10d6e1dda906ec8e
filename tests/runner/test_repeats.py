"""Each of several answers is scored as a sample of its own."""

from itertools import count

import pytest

import assay
from assay.core import Sample
from assay.engine import parse_gate
from assay.runner.answer_collector import TargetCallOptions

FAST = {"embedder": "none", "encoder": "none"}
CHECKS = [{"contains": "Paris"}]


class Bot:
    """Answers every third question wrongly, and counts its calls."""

    def __init__(self) -> None:
        self.calls = count()
        self.made = 0

    def __call__(self, question: str) -> str:
        self.made += 1
        return "Paris" if next(self.calls) % 3 else "Rome"


def questions(number=2):
    return [{"id": f"q{n}", "query": f"Question {n}?", "checks": CHECKS} for n in range(number)]


def asked(bot, repeat=6, **options):
    return assay.evaluate(
        questions(),
        ["check.passed"],
        target=bot,
        asking=TargetCallOptions(repeat=repeat, concurrency=1),
        score_repeats=True,
        **FAST,
        **options,
    )


def test_every_answer_is_asked_for_and_scored():
    bot = Bot()
    report = asked(bot)
    assert bot.made == 12
    assert [sample.id for sample in report.samples[:3]] == ["q0#1", "q0#2", "q0#3"]
    assert {sample.metadata["repeat_of"] for sample in report.samples} == {"q0", "q1"}
    assert report.summary.repeats["counts"] == [[6, 4, 2]]
    assert report.summary.repeats["figures"]["pass@1"]["value"] == pytest.approx(2 / 3)


def test_no_answer_of_one_run_serves_another(tmp_path, monkeypatch):
    """Five calls are five calls, with every cache on, and once more in a second run."""
    monkeypatch.setenv("ASSAY_CACHE_DIR", str(tmp_path))
    bot = Bot()
    for run in (1, 2):
        asked(bot, repeat=5)
        assert bot.made == 10 * run


def test_a_resumed_run_asks_only_what_is_missing(tmp_path):
    store, bot = f"sqlite:///{tmp_path}/runs.db", Bot()
    first = asked(bot, run="one", store=store)
    again = asked(bot, run="one", store=store, resume=True)
    assert bot.made == 12
    assert again.summary.repeats == first.summary.repeats


def test_responses_of_a_record_are_samples():
    record = {
        "id": "q",
        "query": "Where?",
        "responses": ["Paris", "Rome", "Paris"],
        "checks": CHECKS,
    }
    report = assay.evaluate([record], ["check.passed"], score_repeats=True, **FAST)
    assert [s.response for s in report.samples] == ["Paris", "Rome", "Paris"]
    assert report.summary.repeats["counts"] == [[3, 2, 1]]


def test_records_with_the_same_question_are_repeats_only_where_asked():
    records = [
        {"query": "Where?", "response": "Paris", "checks": CHECKS},
        {"query": "Where?", "response": "Rome", "checks": CHECKS},
        {"query": "Where?", "response": "Rome", "checks": [{"contains": "Rome"}]},
    ]
    report = assay.evaluate(records, ["check.passed"], score_repeats=True, **FAST)
    assert report.summary.repeats["counts"] == [[1, 1, 1], [2, 1, 1]]
    assert assay.evaluate(records, ["check.passed"], **FAST).summary.repeats is None


def test_answers_to_one_question_are_one_piece_of_evidence():
    """Ten copies of three answers tell no more than three answers."""
    records = [
        {"response": text, "checks": CHECKS, "repeat_of": f"q{n}"}
        for n, text in enumerate(("Paris", "Rome", "Paris"))
    ]
    few = assay.evaluate(records, ["check.passed"], **FAST).summary
    many = assay.evaluate(records * 10, ["check.passed"], **FAST).summary
    width = many.pass_rate_interval.high - many.pass_rate_interval.low
    assert width > 0.5
    own = [summary.metrics["check.passed"].mean_interval for summary in (few, many)]
    assert own[0] == pytest.approx(own[1])


def test_means_of_questions_that_are_alike_are_not_certain():
    records = [
        {"response": text, "checks": CHECKS, "repeat_of": f"q{n}"}
        for n in range(3)
        for text in ("Paris", "Rome")
    ]
    own = assay.evaluate(records, ["check.passed"], **FAST).summary.metrics["check.passed"]
    assert own.mean_interval.low < 0.5 < own.mean_interval.high


@pytest.mark.parametrize(
    "text", ["pass@0>=1%", "pass@x>=1", "pass@3>=200%", "pass@3(text.safety)>=1"]
)
def test_what_is_no_gate_is_refused(text):
    with pytest.raises(assay.AssayError):
        parse_gate(text)


def test_a_sample_keeps_what_is_expected_of_it():
    sample = Sample(id="q", query="Where?", responses=("Paris",), expected="Paris")
    report = assay.evaluate([sample], ["answer.correctness"], score_repeats=True, **FAST)
    assert report.samples[0].expected == "Paris"
