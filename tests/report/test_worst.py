from __future__ import annotations

from assay.core import Result, Sample, Scores, Span
from assay.report.worst import ranked, reasons

SAMPLE = Sample(response="bad words here")


def _judged(value: float, passed: bool | None) -> Result:
    evidence = (Span("response", 0, 3, "x"),)
    verdict = None if passed is None else "pass" if passed else "fail"
    found = Result(value, "Why.", evidence, passed=passed, quality=value, threshold=0.5)
    return found._replace(verdict=verdict, gates=True)


def test_failed_come_first_then_errors_then_the_rest() -> None:
    results = {
        "a.missing": Result.missing("x")._replace(gates=True),
        "a.good": _judged(0.9, True),
        "a.error": Result.error("x")._replace(gates=True),
        "a.bad": _judged(0.3, False),
        "a.worse": _judged(0.1, False),
        "a.imputed": Result.imputed(1.0, "x")._replace(gates=True),
    }
    order = [metric for metric, _ in ranked(Scores("s", results))]
    assert order == ["a.worse", "a.bad", "a.error", "a.good", "a.imputed", "a.missing"]


def test_reasons_are_what_failed_with_words_from_the_text() -> None:
    scores = Scores("s", {"a.bad": _judged(0.3, False), "a.good": _judged(0.9, True)})
    (reason,) = reasons(SAMPLE, scores)
    assert reason == ("a.bad", True, "0.300, needs 0.5", "Why.", ["bad"])


def test_where_nothing_failed_the_lowest_score_is_the_reason() -> None:
    scores = Scores("s", {"a.good": _judged(0.9, True), "a.fair": _judged(0.6, True)})
    (reason,) = reasons(SAMPLE, scores)
    assert (reason.metric, reason.is_failure) == ("a.fair", False)
    assert reasons(SAMPLE, Scores("s", {})) == []


def test_an_error_has_no_value() -> None:
    (reason,) = reasons(SAMPLE, Scores("s", {"a.x": Result.error("ValueError: no")}))
    assert (reason.finding, reason.explanation) == ("error", "ValueError: no")


def test_what_decides_nothing_is_no_reason() -> None:
    told = _judged(0.1, False)._replace(gates=False)
    scores = Scores("s", {"a.told": told, "a.good": _judged(0.9, True)})
    (reason,) = reasons(SAMPLE, scores)
    assert (reason.metric, reason.is_failure) == ("a.good", False)
