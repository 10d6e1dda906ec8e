"""Rubric files, and the metrics that they make."""

import pickle

import pytest
from tests.judge.chat import graded
from tests.judge.test_cost import backends, score

import assay
from assay import registry
from assay.backends import Backends
from assay.core import Document, ProfileError, Sample
from assay.data import Profile, profile
from assay.data.rubrics import Scale, read_rubric, rubric, rubric_names
from assay.engine import score_batch
from assay.features.rubric_verdicts import instructions
from assay.metrics.judge.rubric import rubric_metric
from assay.runner.job import Job, with_rubrics

SCALE = """
title = "How friendly it is."
question = "Is it friendly?"
inputs = ["response"]
[scale]
min = 1
max = 5
"""
CHOICES = """
title = "Which language it is."
question = "Which language is it?"
inputs = ["response"]
polarity = "neutral"
degenerate = "missing"
choices = [{ label = "one", value = 1 }, { label = "two", value = 2, meaning = "the second" }]
"""
SAMPLE = Sample(query="When does it open?", response="It opens at nine, dear visitor.")


@pytest.fixture
def friendly(tmp_path):
    path = tmp_path / "friendly.toml"
    path.write_text(SCALE, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", rubric_names())
def test_a_bundled_rubric_is_whole(name):
    found = rubric(name)
    assert found.title.endswith(".")
    assert found.blind_spots
    assert found.examples
    assert len(found.question) > 200
    if isinstance(found.answers, Scale):
        assert [number for number, _ in found.answers.anchors] == [1, 2, 3, 4, 5]
    else:
        assert all(choice.meaning for choice in found.answers)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 -- our own bytes
    text = instructions(found)
    assert found.question in text
    assert "Right answer: " in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("title = ", "titel = "), "unknown key 'titel'"),
        (('"Is it friendly?"', '" "'), "'question' is missing"),
        (('"Is it friendly?"', "5"), "'question' is 5; expected a text"),
        (('["response"]', '"response"'), "'inputs' is 'response'; expected a list"),
        (('["response"]', "[]"), "'inputs' names no field"),
        (('["response"]', '["response", "response"]'), "stands twice"),
        (('["response"]', '["metadata"]'), "no judge is shown 'metadata'"),
        (('["response"]', '["answer"]'), "no judge is shown 'answer'"),
        (("max = 5", "max = 1"), "from a lower 'min' to a higher 'max'"),
        (("max = 5", 'max = "5"'), "'max' of the scale is '5'"),
        (("max = 5", "max = 5.5"), "whole ends"),
        (("max = 5", "max = 500"), "at most 100 steps"),
        (("max = 5", "max = inf"), "'max' of the scale is inf"),
        (("max = 5", "max = 5\nstep = 1"), "unknown key 'step'"),
        (("max = 5", "max = 5\n[scale.anchors]\n9 = 'x'"), "anchor '9'"),
        (("max = 5", "max = 5\n[scale.anchors]\nlow = 'x'"), "anchor 'low'"),
        (("[scale]", "threshold = 9\n[scale]"), "'threshold' is 9"),
        (("[scale]", "threshold = true\n[scale]"), "'threshold' is True"),
        (("[scale]", 'polarity = "up"\n[scale]'), "'polarity' is 'up'"),
        (("[scale]", 'polarity = "neutral"\n[scale]'), "no lowest value"),
        (("[scale]", 'degenerate = "none"\n[scale]'), "'degenerate' is 'none'"),
        (("[scale]", "version = 0\n[scale]"), "'version' is 0"),
        (
            ("[scale]", "choices = []\n[scale]"),
            "expected one of a table 'scale', a list 'choices', a list 'items'",
        ),
        (("max = 5", "max = 5\n[[examples]]\nresponse = 'x'"), "expected fields and an 'answer'"),
        (("max = 5", "max = 5\n[[examples]]\nresponse = 'x'\nanswer = 6"), "answer is 6"),
        (("max = 5", "max = 5\n[[examples]]\nresponse = 'x'\nanswer = 1.5"), "answer is 1.5"),
        (("max = 5", "max = 5\n[[examples]]\nquery = 'x'\nanswer = 1"), "has 'query'"),
        (("max = 5", "max = "), "not valid TOML"),
    ],
)
def test_a_mistake_in_a_scale_is_named(change, message):
    with pytest.raises(ProfileError, match=message):
        read_rubric("mine", SCALE.replace(*change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('{ label = "one", value = 1 }, ', ""), "two or more choices"),
        (('"one"', '"two"'), "two or more choices"),
        (("value = 1", "value = 2"), "the same value"),
        (("value = 1", 'value = "1"'), "value of 'one' is '1'"),
        (('"one"', "1"), "label 1"),
        (("meaning", "mean"), "expected label, value and meaning"),
        (
            ('second" }]', 'second" }]\n[[examples]]\nresponse = "x"\nanswer = ["one"]'),
            r"answer is \['one'\]",
        ),
    ],
)
def test_a_mistake_in_choices_is_named(change, message):
    with pytest.raises(ProfileError, match=message):
        read_rubric("mine", CHOICES.replace(*change))


def test_choices_span_a_range():
    assert read_rubric("mine", CHOICES).range == (1.0, 2.0)


def test_an_edited_file_is_read_again(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(SCALE)
    first = rubric(str(path))
    path.write_text(SCALE.replace("friendly?", "kind?"))
    assert rubric(str(path)).fingerprint != first.fingerprint


@pytest.mark.parametrize("name", ["Mine", "my-own", "", "1st", "a.b"])
def test_a_name_that_is_no_id_is_refused(name):
    with pytest.raises(ProfileError, match="small letters"):
        read_rubric(name, SCALE)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ProfileError, match="cannot be read"):
        rubric(str(tmp_path / "none.toml"))
    with pytest.raises(ProfileError, match="expected one of completeness"):
        rubric("nothing")
    (tmp_path / "odd.toml").write_bytes(b"\xff")
    with pytest.raises(ProfileError, match="not UTF-8"):
        rubric(str(tmp_path / "odd.toml"))


# The metric.


def test_a_rubric_of_ones_own(chat, friendly):
    report = assay.evaluate([SAMPLE], rubrics=[str(friendly)], backends=backends(chat))
    assert list(report.scores[0].results) == ["judge.friendly"]
    result = report.scores[0]["judge.friendly"]
    assert (result.value, result.passed, result.state) == (4.0, None, "ok")
    assert "rubric:" in result.signature
    assert "Is it friendly?" in chat.asked[0].system


def test_rubrics_come_on_top_of_what_is_named(chat, friendly):
    chosen = backends(chat)
    report = assay.evaluate([SAMPLE], ["text.safety"], rubrics=[str(friendly)], backends=chosen)
    assert list(report.metrics) == ["judge.friendly", "text.safety"]


def test_rubrics_in_a_profile_start_at_its_folder(chat, friendly):
    path = friendly.parent / "team.toml"
    path.write_text(
        'rubrics = ["friendly.toml"]\nmetrics = ["text.safety"]\n'
        '[thresholds]\n"judge.friendly" = 3\n'
    )
    found = profile(str(path))
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301 -- our own bytes
    report = assay.evaluate([SAMPLE], profile=str(path), backends=backends(chat))
    assert list(report.metrics) == ["judge.friendly", "text.safety"]
    assert report.scores[0]["judge.friendly"].passed is True


@pytest.mark.parametrize("given", ["5", '["x"]', "[5]", '"friendly.toml"'])
def test_odd_rubrics_in_a_profile_are_refused(friendly, given):
    path = friendly.parent / "odd_team.toml"
    path.write_text(f"rubrics = {given}")
    with pytest.raises(ProfileError, match="'rubrics'"):
        profile(str(path))


def test_a_name_is_given_once(chat, tmp_path):
    path = tmp_path / "tone.toml"
    path.write_text(SCALE)
    with pytest.raises(ProfileError, match="a rubric 'tone' already"):
        assay.evaluate([SAMPLE], rubrics=[str(path)], backends=backends(chat))


def test_processes_know_the_rubrics(chat, friendly):
    report = assay.evaluate(
        [SAMPLE] * 3, rubrics=[str(friendly)], workers=2, batch_size=2, backends=backends(chat)
    )
    assert [scores["judge.friendly"].value for scores in report.scores] == [4.0] * 3


def test_without_a_judge_there_is_no_score_and_the_setting_is_named(friendly):
    report = assay.evaluate([SAMPLE], rubrics=[str(friendly)])
    result = report.scores[0]["judge.friendly"]
    assert result.state == "missing"
    assert "'judge'" in result.explanation
    assert "ASSAY_JUDGE" in result.explanation


@pytest.mark.parametrize(
    ("selectors", "judge", "expected"),
    [
        (("all",), "", False),
        (("@model",), "", False),
        (("-text",), "", False),
        (("all", "judge.tone"), "", True),
        (("judge",), "", True),
        (("all",), "fake", True),
        (("@judge",), "fake", True),
        (("@rules",), "fake", False),
        (("all", "-judge"), "fake", False),
    ],
)
def test_all_means_judge_metrics_only_where_there_is_a_judge(selectors, judge, expected):
    job = Job(selectors, Profile(), backends=Backends(embedder="fake", judge=judge))
    assert ("judge.tone" in {step.metric.id for step in job.plan().shown}) is expected


def test_the_registry_lists_them_all():
    found = [id for id in registry.metrics() if id.startswith("judge.")]
    assert found == [f"judge.{name}" for name in sorted(rubric_names())]


def test_the_page_of_a_metric_shows_the_rubric():
    page = rubric_metric(rubric("helpfulness")).documentation
    assert "How far does the response help" in page
    assert "5: helps fully" in page
    assert "Blind spots: " in page


def test_only_declared_fields_are_sent(chat):
    canary = "canary-7f3a"
    sample = Sample(
        id=canary,
        query="When does it open?",
        response="At nine.",
        expected=canary,
        contexts=(Document("It opens at nine.", id=canary, source=canary),),
        gold_context=canary,
        known_facts=(canary,),
        conversation=({"role": "user", "content": canary},),
        tags=(canary,),
        metadata={"secret": canary, canary: 1},
    )
    score(chat, sample, "judge.groundedness")
    (asked,) = chat.asked
    assert canary not in str(asked.body)
    assert [asked.plain(n) for n in range(3)] == [
        "At nine.",
        "It opens at nine.",
        "When does it open?",
    ]
    assert canary not in str(chat.headers)


@pytest.mark.parametrize("redact", [False, True])
def test_marks_of_persons_are_not_sent_where_a_run_redacts(chat, redact):
    sample = Sample(
        query="Who?",
        response="Write to jane@example.org, dear visitor.",
        expected="jane@example.org",
    )
    chat.answer = graded(5, "It is warm.", "dear visitor")
    result = score(chat, sample, redact=redact)
    assert ("jane@" in str(chat.asked[0].body)) is not redact
    (span,) = result.evidence
    assert sample.response[span.start : span.end] == "dear visitor"


def test_every_kind_of_field_can_be_shown(chat, tmp_path):
    path = tmp_path / "everything.toml"
    path.write_text(SCALE.replace('["response"]', '["response", "conversation", "tool_calls"]'))
    plan = Job((), with_rubrics(Profile(), [str(path)]), backends=backends(chat)).plan()
    sample = Sample(
        response="Fine.",
        conversation=({"role": "user", "content": "Is it\nfine?"},),
        tool_calls=({"name": "look", "arguments": {"q": 1}},),
    )
    assert score_batch(plan, [sample])[0]["judge.everything"].state == "ok"
    assert '"content": "Is it\\nfine?"' in chat.asked[0].plain(1)
    assert '"name": "look"' in chat.asked[0].plain(2)


def test_what_the_judge_quotes_is_evidence(chat):
    chat.answer = graded(5, "It is warm.", "dear visitor")
    result = score(chat, SAMPLE)
    (span,) = result.evidence
    assert SAMPLE.response[span.start : span.end] == "dear visitor"
    assert (span.field, span.label) == ("response", "quoted by the judge")
    assert "because “It is warm”" in result.explanation


@pytest.mark.parametrize("quote", ["", "no", "words that stand nowhere", "  "])
def test_words_that_stand_nowhere_are_no_evidence(chat, quote):
    chat.answer = graded(5, "It is warm.", quote)
    assert score(chat, SAMPLE).evidence == ()


@pytest.mark.parametrize(
    "reason",
    [
        "Good. Very good! Really? Yes.",
        "x" * 5000,
        "a\nb\u202ec\x00d",
        "“quoted”. And …",
        "...",
        "",
        "ممتاز. جدا.",
    ],
)
def test_the_explanation_stays_one_sentence(chat, reason):
    chat.answer = graded(5, reason)
    said = score(chat, SAMPLE).explanation
    assert said.startswith("The judge gives 5 on the scale from 1 to 5")
    assert said.endswith(".")
    assert said.isprintable()
    assert len(said) < 300
    assert ". " not in said
    assert "! " not in said
