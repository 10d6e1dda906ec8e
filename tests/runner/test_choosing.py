"""What is chosen by the fields of the data, and which of it decides passes."""

import pytest

import assay
from assay import registry
from assay.core import Document, Sample, UnknownMetricError
from assay.data import Profile, profile, profile_names
from assay.data.profiles import FieldRule
from assay.runner.choosing import choose
from assay.runner.job import Job, default_selection

KNOWN = registry.metrics()
RULES = (
    FieldRule(("expected",), ("answer.correctness",)),
    FieldRule(("contexts", "expected"), ("chat.rouge",), gates=True),
    FieldRule(("query",), ("answer.refusal",), gates=False),
    FieldRule((), ("text.safety",)),
)


def chosen(*samples, rules=RULES, **fields):
    return choose(Profile(name="own", rules=rules, **fields), samples, KNOWN)


def test_a_rule_applies_where_one_sample_has_all_its_fields():
    assert chosen(Sample(response="x")).metrics == ("text.safety",)
    assert chosen(Sample(expected="x"), Sample(query="y")).metrics == (
        "answer.correctness",
        "answer.refusal",
        "text.safety",
    )
    apart = chosen(Sample(expected="x"), Sample(contexts=(Document("y"),)))
    assert "chat.rouge" not in apart.metrics
    together = chosen(Sample(expected="x", contexts=(Document("y"),)))
    assert "chat.rouge" in together.metrics


@pytest.mark.parametrize("nothing", [{"expected": ""}, {"translations": {}}])
def test_an_empty_field_is_no_field(nothing):
    rules = (FieldRule(tuple(nothing), ("answer.correctness",)), RULES[-1])
    assert chosen(Sample(**nothing), rules=rules).metrics == ("text.safety",)


def test_every_rule_may_apply_to_data_that_is_not_known():
    found = choose(Profile(rules=RULES), None, KNOWN)
    assert len(found.metrics) == 4


def test_one_line_says_what_was_chosen_and_why():
    found = chosen(Sample(query="q", expected="x", contexts=(Document("y"),)))
    assert found.line == (
        "own chose answer.correctness (expected); chat.rouge (contexts + expected); "
        "answer.refusal (query); text.safety (always)"
    )


def test_a_rule_says_whether_its_metrics_decide():
    found = chosen(Sample(query="q", expected="x", contexts=(Document("y"),)))
    assert found.gating == {"chat.rouge"}
    assert found.informational == {"answer.refusal"}


def test_a_metric_with_a_threshold_of_ones_own_is_scored_and_decides():
    found = chosen(Sample(), thresholds={"text.coherence": 0.5, "answer.correctness": 0.5})
    assert found.metrics == ("text.safety", "text.coherence")
    assert found.gating == {"text.coherence"}
    assert found.line.endswith("text.coherence (threshold)")


def test_a_metric_of_a_gate_is_scored_and_decides_by_its_evidence():
    found = choose(Profile(rules=RULES), [Sample()], KNOWN, ["text.coherence", "", "no.such"])
    assert found.metrics == ("text.safety", "text.coherence")
    assert not found.gating
    assert found.line.endswith("text.coherence (gate)")


def test_an_unknown_metric_is_refused():
    with pytest.raises(UnknownMetricError, match=r"own\.nothing"):
        chosen(Sample(), rules=(FieldRule((), ("own.nothing",)),))


@pytest.mark.parametrize("name", [n for n in profile_names() if profile(n).rules])
def test_every_bundled_rule_names_metrics_that_exist(name):
    found = choose(profile(name), None, KNOWN)
    assert found.metrics
    assert set(found.metrics) <= set(KNOWN)


def gating(job):
    return set(job.plan().gating)


def test_a_person_chooses_by_id_family_group_or_threshold():
    assert gating(Job(("answer.relevance",))) == {"answer.relevance"}
    assert "chat.ttft" in gating(Job(("chat.performance",)))
    assert gating(Job(("text&@rules",))) == gating(Job(("text",)))


def test_all_and_tags_choose_nothing():
    wide, named = gating(Job(("@rules",))), gating(Job(("@gating",)))
    assert "text.factuality" not in wide
    assert wide <= named
    assert named == {step.metric.id for step in Job(("@gating",)).plan().shown}


def test_what_auto_chooses_decides_by_its_evidence():
    sample = Sample(query="q", response="r", expected="e")
    plan = default_selection(Job(), [sample]).plan()
    by_evidence = {step.metric.id for step in plan.shown if registry_gates(step.metric)}
    informational = {"answer.refusal", "answer.similarity", "answer.relevance"}
    assert set(plan.gating) == by_evidence - informational
    assert plan.selection.startswith("auto chose answer.correctness, answer.similarity (expected)")


@pytest.mark.parametrize(
    ("fields", "decides"),
    [({}, True), ({"expected": "e"}, False), ({"contexts": (Document("c"),)}, False)],
)
def test_relevance_decides_where_nothing_judges_what_the_answer_says(fields, decides):
    sample = Sample(query="q", response="r", **fields)
    plan = default_selection(Job(), [sample]).plan()
    assert ("answer.relevance" in plan.gating) == decides
    assert plan.selection.count("answer.relevance") == 1


def registry_gates(metric):
    from assay.data.gating import gates

    return gates(metric)


def test_a_threshold_makes_a_chosen_metric_decide():
    job = Job(profile=Profile(thresholds={"answer.relevance": 0.5}))
    plan = default_selection(job, [Sample(query="q", response="r")]).plan()
    assert "answer.relevance" in plan.gating


def test_a_named_profile_of_fixed_metrics_is_the_five_evaluators():
    for name in ("balanced", "conservative", "lenient"):
        plan = Job(profile=profile(name)).plan()
        assert {step.metric.id for step in plan.shown} == {
            "text.hallucination",
            "text.factuality",
            "text.relevance",
            "text.coherence",
            "text.safety",
        }
        assert set(plan.gating) == {step.metric.id for step in plan.shown}


def test_tools_and_json_are_chosen_by_their_fields():
    call = {"name": "find", "arguments": {"city": "Lyon"}}
    scores = assay.score(
        response="Done.", tool_calls=[call], expected_tool_calls=[call], settings=None
    )
    assert scores["agent.tool_calls"].gates
    assert scores.verdict == "pass"
    other = {"name": "find", "arguments": {"city": "Paris"}}
    scores = assay.score(
        response="Done.", tool_calls=[other], expected_tool_calls=[call], settings=None
    )
    assert scores.verdict == "fail"
    scores = assay.score(
        expected_json={"a": 1}, response_json={"a": 2}, embedder="none", settings=None
    )
    assert scores["json.accuracy"].verdict == scores.verdict == "fail"


def test_a_schema_holds_or_does_not():
    schema = {"type": "object", "required": ["a"]}
    for text, verdict in (('{"a": 1}', "pass"), ('{"b": 1}', "fail")):
        scores = assay.score(response=text, schema=schema, settings=None)
        assert scores.verdict == verdict


def test_informational_metrics_decide_nothing():
    report = assay.evaluate(
        [{"response": "x", "query": "What is the capital of France?"}],
        metrics=["@rules"],
        settings=None,
    )
    (scores,) = report.scores
    failing = [r for r in scores.results.values() if r.verdict == "fail" and not r.gates]
    assert failing
    assert not set(report.summary.causes) & {r.metric for r in failing}
    assert all(result.gates for _, result in report.failures)
