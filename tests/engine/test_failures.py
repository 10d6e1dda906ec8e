"""Why samples fail: all six categories, and what each says."""

import pytest

from assay import registry
from assay.core import FailureAnalysis, Result, Sample, Scores
from assay.engine import make_plan, score_batch
from assay.engine.failures import (
    TEXT_SIGNS,
    analyse_failure,
    categories,
    describe_scores,
    score_signs,
)

ANSWER = "The library opens at nine in the morning."
EXPECTED = "The answer says something else than was expected."
ASKED = "The answer is about something else than the question."


def failed(metric, value=0.1, **fields):
    return {metric: Result(value, passed=False, gates=True, **fields)}


def passed(metric, value):
    return {metric: Result(value, passed=True, gates=True)}


@pytest.mark.parametrize(
    ("why", "query", "response", "results", "category", "sign"),
    [
        (
            "a stock phrase",
            "When?",
            "I'm having trouble with that. Please rephrase your question.",
            {},
            "Knowledge Gap",
            "fallback_phrase",
        ),
        (
            "a stock phrase in Arabic",
            "متى تفتح المكتبة؟",
            "لم أفهم، حاول مرة أخرى من فضلك.",
            {},
            "Knowledge Gap",
            "fallback_phrase",
        ),
        ("19 characters", "When?", "x" * 19, {}, "Response Quality Issue", "short_response"),
        ("no response at all", "When?", None, {}, "Response Quality Issue", "short_response"),
        (
            "a failed check of length",
            "When?",
            ANSWER,
            {"chat.response_quality": Result(0.5, details={"min_length": False}, gates=True)},
            "Response Quality Issue",
            "min_length",
        ),
        ("markup", "When?", f"<p>{ANSWER}</p>", {}, "Response Format Issue", "markup"),
        (
            "far from the expected answer",
            "When?",
            ANSWER,
            failed("chat.accuracy", 0.5),
            "Semantic Mismatch",
            "low_accuracy",
        ),
        (
            "far from the question",
            "When?",
            ANSWER,
            failed("chat.semantic_similarity", 0.5),
            "Semantic Mismatch",
            "low_similarity",
        ),
        (
            "few common words",
            "When?",
            ANSWER,
            {"chat.rouge_unicode": Result(0.19, gates=True)},
            "Semantic Mismatch",
            "low_rouge",
        ),
        (
            "a low BERTScore",
            "When?",
            ANSWER,
            {"chat.f1_score": Result(0.29, gates=True)},
            "Semantic Mismatch",
            "low_bertscore",
        ),
        (
            "nothing but a missed threshold",
            "When?",
            ANSWER,
            failed("text.safety"),
            "Validation Failure",
            "failed:text.safety",
        ),
        (
            "an Arabic answer to an English question",
            "When does the library open?",
            "تفتح المكتبة في التاسعة صباحا.",
            {},
            "Language Issue",
            "other_script",
        ),
        (
            "an English answer to an Arabic question",
            "متى تفتح المكتبة؟",
            ANSWER,
            {},
            "Language Issue",
            "other_script",
        ),
        (
            "the script comes before everything else",
            "متى تفتح المكتبة؟",
            "<b>No</b>",
            failed("chat.accuracy"),
            "Language Issue",
            "markup",
        ),
    ],
)
def test_categories(why, query, response, results, category, sign):
    failure = analyse_failure(Sample(id="", query=query, response=response), results)
    assert failure.category == category, why
    assert sign in failure.detected_patterns, why
    (known,) = [c for c in categories() if c.name == category]
    assert failure.root_cause in {cause.root_cause for cause in known.causes}
    assert failure.recommendations[0] in {r for c in known.causes for r in c.recommendations}


@pytest.mark.parametrize(
    ("why", "query", "response", "results"),
    [
        ("20 characters are an answer", "When?", "x" * 20, {}),
        ("one bracket is no markup", "When?", f"{ANSWER} 2 < 3", {}),
        ("a value at the limit", "When?", ANSWER, {"chat.rouge_unicode": Result(0.2, gates=True)}),
        ("a threshold that holds", "When?", ANSWER, passed("chat.accuracy", 0.8)),
        ("no question to differ from", None, "تفتح المكتبة في التاسعة صباحا.", {}),
        ("a question without letters", "2 + 2?", "تفتح المكتبة في التاسعة صباحا.", {}),
        ("both Arabic", "متى تفتح المكتبة؟", "تفتح المكتبة في التاسعة صباحا.", {}),
        ("no score", "When?", ANSWER, {"chat.f1_score": Result.missing("No expected.")}),
    ],
)
def test_without_a_sign_it_is_a_validation_failure(why, query, response, results):
    failure = analyse_failure(Sample(id="", query=query, response=response), results)
    assert failure.category == "Validation Failure", (why, failure.detected_patterns)


def test_a_low_similarity_to_the_question_says_nothing_of_an_expected_answer():
    sample = Sample(id="", query="When?", response=ANSWER)
    failure = analyse_failure(sample, failed("chat.semantic_similarity", 0.1))
    assert failure.root_cause == ASKED
    assert not any("expected" in text for text in failure.recommendations)
    both = failed("chat.semantic_similarity") | failed("chat.accuracy")
    assert analyse_failure(sample, both).root_cause == EXPECTED


def test_six_categories_with_signs_that_something_shows():
    assert [category.name for category in categories()] == [
        "Knowledge Gap",
        "Response Quality Issue",
        "Response Format Issue",
        "Semantic Mismatch",
        "Validation Failure",
        "Language Issue",
    ]
    known = {*TEXT_SIGNS, *(sign.name for sign in score_signs())}
    named = {sign for c in categories() for cause in c.causes for sign in cause.signs}
    assert named == known
    assert {sign.metric for sign in score_signs()} <= registry.metrics().keys()


def test_the_engine_carries_the_analysis_with_the_scores():
    plan = make_plan(registry.select(["text.safety"]))
    bad = Sample(id="bad", query="Who?", response="bob@example.com, 123-45-6789 is his number.")
    good = Sample(id="good", query="When?", response=ANSWER, language="xx")
    low, high = score_batch(plan, [bad, good])
    assert (low.passed, high.passed) == (False, True)
    assert low.failure == analyse_failure(bad, low.results)
    assert low.failure.category == "Validation Failure"
    assert high.failure is None
    assert (low.language, high.language) == ("en", "xx")
    assert (low.status, high.status) == ("failed", "passed")


def test_a_failure_survives_as_plain_data():
    failure = FailureAnalysis("Why.", "Kind", ("sign",), ("Do this.",))
    assert FailureAnalysis.from_json(failure.to_json()) == failure


def test_no_response_has_no_script():
    found = analyse_failure(Sample(query="متى تفتح المكتبة؟"), failed("chat.accuracy"))
    assert TEXT_SIGNS[-1] not in found.detected_patterns


@pytest.mark.parametrize(
    ("char", "differs"), [("\u0600", True), ("\u06ff", True), ("\u05ff", False), ("\u0700", False)]
)
def test_the_arabic_block_has_two_ends(char, differs):
    sample = Sample(query=f"when {char}", response=ANSWER)
    found = analyse_failure(sample, failed("chat.accuracy"))
    assert (TEXT_SIGNS[-1] in found.detected_patterns) is differs


def test_scores_are_described_where_they_are_not_yet():
    sample = Sample(query="When?", response=ANSWER, language="ar")
    bad = failed("chat.accuracy")
    described = describe_scores(sample, Scores("s", bad, 0.1, passed=False))
    assert described.language == "ar"
    assert described.failure == analyse_failure(sample, bad)
    own = FailureAnalysis("own", "Own Category", (), ())
    kept = Scores("s", bad, 0.1, passed=False, failure=own, language="de")
    assert describe_scores(sample, kept) == kept
    for passed_or_not in (True, None):
        assert describe_scores(sample, Scores("s", bad, 0.1, passed_or_not)).failure is None
