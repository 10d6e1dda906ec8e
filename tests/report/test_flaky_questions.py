"""Questions of a report whose answers have different verdicts."""

from assay.core import Sample
from assay.report.flaky_questions import SHOWN, FlakyQuestions


def counted(*answers):
    found = FlakyQuestions()
    for question, status in answers:
        found.add(Sample(metadata={"repeat_of": question} if question else {}), status)
    return found.to_json()


def test_the_least_consistent_comes_first():
    mostly = [("mostly", "passed")] * 9 + [("mostly", "failed")]
    half = [("half", "passed"), ("half", "unsure"), ("half", "unjudged"), ("half", "skipped")]
    steady = [("steady", "failed")] * 3
    assert counted(*mostly, *half, *steady, (None, "failed"), (None, "passed")) == [
        {"question": "half", "judged": 2, "passed": 1},
        {"question": "mostly", "judged": 10, "passed": 9},
    ]


def test_a_report_lists_a_limited_number():
    answers = [(f"q{n}", status) for n in range(SHOWN + 5) for status in ("passed", "failed")]
    assert len(counted(*answers)) == SHOWN
