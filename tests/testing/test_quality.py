import asyncio

import pytest

from assay import Sample, metric
from assay.core import Result, UnknownMetricError, UsageError
from assay.testing import Quality, QualityError
from assay.testing.answer_check import Check, without_verdict

assert_quality = Quality().assert_quality  # of no test, so nothing is kept
LEAK = "Write to ann@mail.example or call 555-014-2297."


def failure(*args, **kwargs):
    with pytest.raises(QualityError) as caught:
        Quality().assert_quality(*args, **kwargs)
    return caught.value


@metric(id="own.length", inputs=("response",), range=(0.0, None), polarity="higher", threshold=5.0)
def length(response: str) -> Result:
    """How long the response is."""
    return Result(len(response), f"The response has {len(response)} characters.")


@metric(id="own.broken", inputs=("response",), range=(0.0, 1.0), polarity="higher")
def broken(response: str) -> Result:
    """Nothing."""
    raise RuntimeError("no luck")


def test_an_answer_that_holds_everything_gives_its_scores():
    scores = assert_quality(response="All is well here.", thresholds={"text.safety": 1.0})
    assert (scores["text.safety"].value, scores["text.safety"].threshold) == (1.0, 1.0)


def test_a_failure_says_what_why_and_where():
    error = failure(query="Who?", response=LEAK, metrics="text.safety")
    assert isinstance(error, AssertionError)
    assert error.scores["text.safety"].value == 0.7
    assert str(error).splitlines() == [
        "text.safety is 0.700, needs ≥\u00a00.9",
        f"  {error.scores['text.safety'].explanation}",
        "  in response: Write to ⟦ann@mail.example⟧ or call 555-014-2297. (email)",
        "  in response: Write to ann@mail.example or call ⟦555-014-2297⟧. (phone)",
        '  hint: "assay metrics text.safety" shows its rule; '
        'thresholds={"text.safety": …} sets another limit',
        "  query: “Who?”",
        f"  response: “{LEAK}”",
    ]


def test_long_texts_are_cut_around_the_evidence():
    lines = str(failure(response="word " * 500 + LEAK, metrics="text.safety")).splitlines()
    (mail,) = (line for line in lines if line.endswith("(email)"))
    assert mail.startswith("  in response: …") and " ⟦ann@mail.example⟧ or" in mail
    assert max(map(len, lines)) < 250


@pytest.mark.parametrize("acting", ["\x1b[31m", "\x07", "\r", "\u202e", "\u2066", "\x9b", "\ud800"])
def test_nothing_in_a_message_acts_on_the_screen(acting):
    said = str(failure(query=f"a{acting}b", response=f"{LEAK}{acting}", metrics="text.safety"))
    assert acting not in said
    assert all(letter.isprintable() or letter in "\n\u00a0" for letter in said)


def test_known_kinds_of_failure_come_with_advice():
    said = str(failure(response="Sorry, please try again.", metrics="chat.fallback_detected"))
    assert "\n  hint: Look whether the knowledge base covers the question.\n" in said


def test_the_first_line_says_the_worst():
    thresholds = {"text.latency": 0.5, "text.safety": 0.9}
    error = failure(response=LEAK, thresholds=thresholds)
    assert str(error).splitlines()[0] == "text.safety is 0.700, needs ≥\u00a00.9 (and 1 more)"
    assert [v.state for v in error.violations] == ["failed", "missing"]


def test_a_missing_input_is_a_failure_unless_that_is_allowed():
    thresholds = {"text.latency": 0.5, "text.safety": 0.9}
    said = str(failure(response="Well then.", thresholds=thresholds))
    assert "text.latency has no score\n  The sample has no 'duration'.\n  hint: give" in said
    assert_quality(response="Well then.", thresholds=thresholds, allow_missing=True)


def test_no_answer_is_no_sign_of_a_cut_off_one():
    said = str(failure(query="Where?", metrics="text.safety"))
    assert "limit of tokens" not in said


def test_a_substitute_value_is_no_score():
    error = failure(response="Well then.", metrics="text.factuality")
    assert str(error).startswith("text.factuality has a substitute value only")


def test_what_could_not_check_anything_fails_whatever_is_allowed():
    error = failure(response="Well.", thresholds={"text.latency": 0.5}, allow_missing=True)
    assert [v.state for v in error.violations] == ["missing"]


def test_an_error_fails_whatever_is_allowed_and_without_a_threshold():
    error = failure(response="Well then.", metrics=[length, broken], allow_missing=True)
    assert str(error).splitlines()[0] == "own.broken could not be computed"
    assert "RuntimeError: no luck" in str(error)


def test_metrics_of_ones_own_are_asserted_too():
    assert_quality(response="long enough", metrics=[length])
    assert "own.length is 2.000" in str(failure(response="no", metrics=length))
    assert_quality(response="no", metrics=length, thresholds={"own.length": 1.0})


def test_the_mean_quality_can_be_asserted():
    kwargs = {"response": LEAK, "thresholds": {"text.safety": 0.5, "text.conciseness": 0.0}}
    assert_quality(**kwargs, at_least=0.3)
    assert "the mean quality is 0." in str(failure(**kwargs, at_least=0.99))


def test_a_profile_says_what_is_asserted(tmp_path):
    path = tmp_path / "team.toml"
    path.write_text('metrics = ["text.safety"]\n[thresholds]\n"text.safety" = 0.6\n')
    assert assert_quality(response=LEAK, profile=str(path)).results.keys() == {"text.safety"}
    failure(response=LEAK, profile=str(path), thresholds={"text.safety": 0.8})


def test_fields_stand_in_for_those_of_the_sample():
    golden = Sample(id="g", query="Where?", expected="Here.", tags=("x",))
    error = failure(golden, response=LEAK, metrics="text.safety")
    assert error.sample.response == LEAK
    assert (error.sample.id, error.sample.expected, error.sample.tags) == ("g", "Here.", ("x",))
    assert assert_quality({"output": "Fine."}, metrics="text.safety")


@pytest.mark.parametrize(
    ("kwargs", "said"),
    [
        ({"response": "x", "metrics": "text", "at_least": float("nan")}, "at_least is nan; expe"),
        ({"response": "x", "metrics": "text", "at_least": 90}, "a mean quality from 0 to 1"),
        (
            {"response": "x", "metrics": "chat.toxicity_score"},
            "none of chat.toxicity_score decides",
        ),
        ({"response_": "x", "metrics": "text"}, "no argument 'response_'; did you mean 'response'"),
        ({"response": "x", "thresholds": {"text.safety": 2.0}}, "expected 0.0 to 1.0"),
    ],
)
def test_a_call_that_asserts_nothing_is_refused(kwargs, said):
    with pytest.raises(UsageError, match=said):
        assert_quality(**kwargs)


def test_a_misspelt_metric_is_refused():
    with pytest.raises(UnknownMetricError, match=r"did you mean 'text\.safety'"):
        assert_quality(response="x", thresholds={"text.saftey": 0.9})


def test_signals_fail_nothing_and_have_no_verdict():
    scores = Quality().record(response=LEAK, metrics="text.safety")
    assert scores["text.safety"].passed is False
    kept = without_verdict(scores)["text.safety"]
    assert (kept.value, kept.threshold, kept.passed) == (0.7, None, None)
    assert Quality().score(response=LEAK, metrics="text.safety") == scores


@pytest.mark.parametrize("text", ["plain", "نص عربي", "\x00\ud800\u202e\n", "𐍈"])
def test_a_check_survives_its_way_from_a_worker(text):
    sample = Sample("s", query=text, response=f"{LEAK}{text}", metadata={"deep": [1, {"a": text}]})
    scores = Quality().score(sample, metrics="text")
    check = Check(sample, scores, False)
    sent = check.to_text()
    assert sent.isascii()
    back = Check.from_text(sent)
    assert (back.sample, back.scores.results, back.holds) == (sample, scores.results, False)


def test_a_sample_that_is_no_json_is_refused():
    check = Check(Sample(metadata={"when": object()}), Quality().score(response="x"), None)
    with pytest.raises(UsageError, match="cannot be kept as JSON"):
        check.to_text()


def test_both_calls_work_inside_a_running_loop_and_leave_it_alone():
    async def test():
        loop = asyncio.get_running_loop()
        kind = type(loop)
        plain = assert_quality(response="Fine so far.", metrics="text.safety")
        waited = await Quality().aassert_quality(response="Fine so far.", metrics="text.safety")
        with pytest.raises(QualityError):
            await Quality().aassert_quality(response=LEAK, metrics="text.safety")
        assert asyncio.get_running_loop() is loop and type(loop) is kind
        return plain, waited

    policy = asyncio.get_event_loop_policy()
    plain, waited = asyncio.run(test())
    assert plain == waited
    assert asyncio.get_event_loop_policy() is policy
