"""Results in notebooks: complete, marked, and harmless."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest

import assay
from assay.core import Sample, Scores, Span
from assay.core.run_comparison import MetricChange, RunComparison
from assay.report.notebook import SHOWN_TEXT, comparison_html, marked, report_html, scores_html

ALLOWED = {
    *("div", "span", "b", "mark", "table", "thead", "tbody", "tr", "th", "td"),
    *("details", "summary"),
}


class Reader(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def check_harmless(html: str) -> None:
    reader = Reader(html)
    assert {tag for tag, _ in reader.tags} <= ALLOWED
    names = {name for _, attributes in reader.tags for name in attributes}
    assert names <= {"style", "class", "title", "dir", "open"}
    html.encode()


def test_a_report_shows_the_verdict_the_metrics_and_marked_samples() -> None:
    samples = [
        {"query": "Who wrote Hamlet?", "response": "Marlowe wrote it.", "expected": "Shakespeare"},
        {"query": "Capital of France?", "response": "Paris.", "expected": "Paris"},
    ]
    html = assay.evaluate(samples, "answer.correctness", settings=None)._repr_html_()
    text = "".join(Reader(html).texts)
    assert text.startswith(
        "1 of 2 good; 1 to look at.pass rate 50.0\u00a0% [9.5\u00a0%, 90.5\u00a0%]"
    )
    marks = [tag for tag, _ in Reader(html).tags if tag == "mark"]
    assert marks
    assert ">Marlowe</mark>" in html
    assert "sample-2" not in text  # it is good
    check_harmless(html)


def test_the_scores_of_one_sample_mark_its_texts() -> None:
    scores = assay.score(
        query="Who wrote Hamlet?", response="Marlowe.", expected="Shakespeare", settings=None
    )
    html = scores._repr_html_()
    assert "To look at: answer.correctness fails." in "".join(Reader(html).texts)
    assert ">Marlowe</mark>" in html
    assert "sample=" not in repr(scores)
    plain = Scores(scores.id, scores.results, scores.score, scores.passed)
    assert "To look at: answer.correctness fails." in plain._repr_html_()
    assert "<mark" not in plain._repr_html_()


def test_nothing_from_data_is_markup(hostile: str, make_run: Callable[..., Any]) -> None:
    text = f"{hostile}</td><script>alert(1)</script><img src=x onerror=alert(1)>\ud800"
    run = make_run(text)
    samples = [sample for sample, _ in run.summary.worst]
    check_harmless(report_html(samples, run.summary, columns=text))
    for sample, scores in run.summary.worst:
        check_harmless(scores_html(scores, sample))
    check_harmless(marked(text, [(text, Span("response", 0, 5, text))]))


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], ["abcdef"]),
        ([(1, 3)], ["a", "bc", "def"]),
        ([(1, 4), (3, 5)], ["a", "bc", "d", "e", "f"]),
        ([(0, 99)], ["abcdef"]),
        ([(-3, 2)], ["ab", "cdef"]),
        ([(2, 2)], ["abcdef"]),
    ],
)
def test_marks_may_overlap_and_lose_no_character(
    spans: list[tuple[int, int]], expected: list[str]
) -> None:
    html = marked("abcdef", [("m", Span("response", *ends, "why")) for ends in spans])
    assert Reader(html).texts == expected
    assert html.count("<mark") == html.count('title="m: why"')
    assert bool(html.count("<mark")) is any(start < end for start, end in spans)


def test_a_long_text_says_what_is_cut() -> None:
    html = marked("x" * (SHOWN_TEXT + 1_500), [])
    assert "… 1,500 more characters" in html
    assert len(html) < SHOWN_TEXT + 500


def test_arabic_runs_from_right_to_left() -> None:
    sample = Sample(id="a", query="ما هي عاصمة مصر؟", response="القاهرة")
    html = scores_html(Scores("a", {}), sample)
    assert html.count('dir="auto"') >= 2
    assert "القاهرة" in html


def change(metric: str, verdict: Any) -> MetricChange:
    figures: dict[str, Any] = dict.fromkeys(("p", "adjusted_p", "effect", "detectable"))
    return MetricChange(
        metric, 9, 3, 0.5, 0.25, -0.25, None, "sign-flip", **figures, tolerance=0.0,
        pairs_needed=None, lost=2, gained=0, polarity="higher", verdict=verdict,
    )  # fmt: skip


def test_a_comparison_shows_the_worst_first(hostile: str) -> None:
    changes = (change("text.safety", "no real change"), change("text.coherence", "worse"))
    figures: dict[str, Any] = dict.fromkeys(("only_a", "only_b", "repeated", "unread", "seed"), 0)
    comparison = RunComparison(
        hostile, "b", "id", 9, correction="holm", metrics=changes, refused={}, metrics_only_a=(),
        metrics_only_b=(), thresholds={}, samples=(), notes=(), **figures,
    )  # fmt: skip
    html = comparison._repr_html_()
    assert html == comparison_html(comparison)
    text = "".join(Reader(html).texts)
    assert text.startswith("1 worse; 1 no real change.")
    assert text.index("text.coherence") < text.index("text.safety")
    check_harmless(html)
