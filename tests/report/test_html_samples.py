from __future__ import annotations

from typing import Any

from assay.core import Result, Sample, Scores, Span, Summary
from assay.report import html_samples
from assay.report.html_samples import worst_samples


def _page(sample: Sample, results: dict[str, Result]) -> str:
    fields: dict[str, Any] = dict.fromkeys(Summary.__slots__)
    scores = Scores(sample.id, results, 0.5, False)
    return worst_samples(Summary(**{**fields, "samples": 1, "worst": [(sample, scores)]}))


def _pointing(*spans: tuple[int, int, str]) -> Result:
    return Result(0.5, "Why.", [Span("response", *span) for span in spans])


def test_overlapping_marks_are_cut_and_labelled() -> None:
    results = {"a.x": _pointing((0, 4, "one")), "a.y": _pointing((2, 6, "two"))}
    page = _page(Sample(response="abcdef!"), results)
    assert (
        '<mark class="c1" title="a.x: one">ab</mark>'
        '<mark class="c1 many" title="a.x: one; a.y: two">cd</mark>'
        '<mark class="c2" title="a.y: two">ef</mark>!'
    ) in page


def test_marks_are_escaped_piece_by_piece() -> None:
    page = _page(Sample(response="<&>"), {"a.x": _pointing((1, 2, '"'))})
    assert '&lt;<mark class="c1" title="a.x: &quot;">&amp;</mark>&gt;' in page


def test_a_huge_text_is_cut_and_says_so() -> None:
    page = _page(Sample(response="x" * (html_samples.MAX_TEXT + 7)), {})
    assert "… 7 more characters are not shown." in page
    assert len(page) < html_samples.MAX_TEXT + 5000


def test_marks_beyond_the_limit_are_counted() -> None:
    spans = [(place, place + 1, "") for place in range(html_samples.MAX_MARKS + 1)]
    page = _page(Sample(response="x" * 2000), {"a.x": _pointing(*spans)})
    assert page.count("<mark") == html_samples.MAX_MARKS
    assert "Only the first 1,000 of 1,001 marks are shown." in page


def test_many_labels_of_one_place_are_counted() -> None:
    spans = [(0, 3, f"label {place}") for place in range(9)]
    page = _page(Sample(response="abc"), {"a.x": _pointing(*spans)})
    assert "label 4; and 4 more" in page


def test_evidence_elsewhere_is_quoted_beside_the_score() -> None:
    result = Result(0.5, "Why.", [Span("previous_responses[0]", 0, 5, "differs")])
    page = _page(Sample(response="abc", previous_responses=("older text",)), {"a.x": result})
    assert "previous_responses[0]: older" in page


def test_an_empty_text_is_said_to_be_empty() -> None:
    assert "(empty)" in _page(Sample(response=""), {})


def test_without_worst_samples_there_is_no_section() -> None:
    fields: dict[str, Any] = dict.fromkeys(Summary.__slots__)
    assert worst_samples(Summary(**{**fields, "worst": []})) == ""


def test_what_failed_is_shown_and_the_rest_folded_away() -> None:
    results = {f"a.bad{place}": Result(0.0, "Why.", passed=False) for place in range(4)}
    results |= {"a.good": Result(1.0, "Why.", passed=True), "a.free": Result(1.0, "Why.")}
    page = _page(Sample(response="abc"), results)
    shown, _, folded = page.partition("<summary>Others: 1 without threshold, 1 pass</summary>")
    assert shown.count('class="result"') == 4
    assert folded.count('class="result"') == 2
